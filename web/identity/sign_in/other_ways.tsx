import { Button } from "@mantine/core";
import { type Icon, IconDeviceMobile, IconFingerprint, IconKey, IconMail } from "@tabler/icons-react";
import { useId } from "react";
import type { Method } from "../../api/api.ts";
import { useText } from "../../app/i18n.tsx";
import type { TextId } from "../../app/text_id.ts";
import classes from "./verify_code.module.css";

const WAYS: Record<Method, { icon: Icon; label: TextId }> = {
  email: { icon: IconMail, label: "verify.by_email" },
  authenticator: { icon: IconDeviceMobile, label: "verify.by_authenticator" },
  passkey: { icon: IconFingerprint, label: "verify.by_passkey" },
  recovery_code: { icon: IconKey, label: "verify.by_recovery_code" },
};

type Props = { methods: Method[]; onChoose: (method: Method) => void };

/** The account's other second factors; nothing if there is only one. */
export function OtherWays({ methods, onChoose }: Props) {
  const text = useText();
  const labelId = useId();
  if (methods.length === 0) return null;
  return (
    <fieldset className={classes.ways} aria-labelledby={labelId}>
      <p id={labelId}>{text("verify.other_way")}</p>
      {methods.map((method) => {
        const { icon: Mark, label } = WAYS[method];
        return (
          <Button
            key={method}
            variant="default"
            leftSection={<Mark size={18} stroke={1.75} aria-hidden="true" />}
            onClick={() => onChoose(method)}
          >
            {text(label)}
          </Button>
        );
      })}
    </fieldset>
  );
}
