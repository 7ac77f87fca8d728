import { Button, Loader } from "@mantine/core";
import { IconBrandTelegram } from "@tabler/icons-react";
import type { TelegramLink } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { QrCode } from "../ui/display/qr_code.tsx";
import { CopyField } from "../ui/form/copy_field.tsx";
import classes from "./telegram_card.module.css";
import type { Linking, ShownLink } from "./use_linking.ts";

/** The link to the bot, to open, scan or forward, while the bot waits for Start. */
export function TelegramCard({ link: { expiresAt }, linking }: { link: TelegramLink; linking: Linking }) {
  const text = useText();
  const formatDate = useFormatDate();
  const { shown, start, starting } = linking;
  const isElsewhere = shown?.whose === "somebody" || !shown;
  const until = formatDate(expiresAt ?? undefined, {
    timeStyle: "short",
    ...(isElsewhere && { dateStyle: "medium" }),
  });
  return (
    <div className={classes.card}>
      {shown && <Way shown={shown} />}
      <p className={classes.waiting}>
        <Loader size={18} aria-hidden="true" />
        {text("connect.waiting")}
      </p>
      <div className={classes.foot}>
        <p>{text(shown ? "connect.valid" : "connect.under_way", { until })}</p>
        <Button size="compact-sm" variant="subtle" loading={starting} onClick={() => start(shown?.whose ?? "me")}>
          {text("connect.new_link")}
        </Button>
        {shown?.whose !== "somebody" && (
          <Button size="compact-sm" variant="subtle" disabled={starting} onClick={() => start("somebody")}>
            {text("connect.somebody")}
          </Button>
        )}
      </div>
    </div>
  );
}

function Way({ shown: { url, whose } }: { shown: ShownLink }) {
  const text = useText();
  const isMine = whose !== "somebody";
  return (
    <div className={classes.way}>
      <div className={classes.steps}>
        {isMine ? (
          <>
            <ol>
              <li>{text(whose === "group" ? "connect.step_choose" : "connect.step_open")}</li>
              <li>{text(whose === "group" ? "connect.step_add" : "connect.step_start")}</li>
            </ol>
            <p>{text("connect.by_itself")}</p>
            <Button
              component="a"
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              leftSection={<IconBrandTelegram size={20} aria-hidden="true" />}
            >
              {text("connect.open")}
            </Button>
          </>
        ) : (
          <p>
            {text("connect.send")} {text("connect.by_itself")}
          </p>
        )}
        <CopyField
          label={text("connect.link")}
          value={url}
          words={{ copy: text("copy.link"), copied: text("copy.done"), failed: text("copy.failed") }}
        />
      </div>
      {isMine && <QrCode value={url} label={text("connect.qr")} />}
    </div>
  );
}
