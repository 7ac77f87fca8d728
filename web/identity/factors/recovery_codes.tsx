import { Button, Text } from "@mantine/core";
import { IconCopy, IconDownload, IconPrinter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { toast } from "sonner";
import { PRODUCT } from "../../../src/shared/product.ts";
import { meQuery } from "../../api/queries.ts";
import { useText } from "../../app/i18n.tsx";
import { saveFile } from "../../shared/save_file.ts";
import { copyText } from "../../ui/clipboard.ts";
import { useFormatDate } from "../../ui/display/format_date.ts";
import profile from "../profile/profile.module.css";
import classes from "./recovery_codes.module.css";

type Props = { codes: string[]; onClose: () => void };

/** New recovery codes, shown only once: to copy, download or print. */
export function RecoveryCodes({ codes, onClose }: Props) {
  const text = useText();
  const formatDate = useFormatDate();
  const { data: me } = useQuery(meQuery);
  const list = useRef<HTMLUListElement>(null);
  // The previously focused element has been replaced by the codes.
  useEffect(() => list.current?.focus(), []);
  const date = formatDate(new Date(), { dateStyle: "long" });
  const heading = text("recovery.file", { email: me?.email ?? "", product: PRODUCT, date });
  const copy = () =>
    copyText(codes.join("\n")).then(
      () => toast.success(text("recovery.copied")),
      () => toast.error(text("recovery.copy_failed")),
    );
  const save = () =>
    saveFile(`${PRODUCT.toLowerCase()}-recovery-codes.txt`, `${[heading, "", ...codes].join("\n")}\n`, "text/plain");
  return (
    <div className={profile.form}>
      <Text>{text("recovery.dialog_text")}</Text>
      <div className={`${classes.sheet} recovery-sheet`}>
        <p className={classes.heading}>{heading}</p>
        <ul ref={list} tabIndex={-1} className={classes.codes} aria-label={text("recovery.dialog")}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className={profile.buttons}>
        <Button variant="default" leftSection={<IconCopy size={18} aria-hidden="true" />} onClick={copy}>
          {text("recovery.copy")}
        </Button>
        <Button variant="default" leftSection={<IconDownload size={18} aria-hidden="true" />} onClick={save}>
          {text("recovery.download")}
        </Button>
        <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden="true" />} onClick={() => print()}>
          {text("recovery.print")}
        </Button>
      </div>
      <Button onClick={onClose}>{text("recovery.done")}</Button>
    </div>
  );
}
