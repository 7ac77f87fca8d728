import { Anchor } from "@mantine/core";
import { IconMailPause } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { toast } from "sonner";
import { isApiError } from "../../api/api.ts";
import { post } from "../../api/call.ts";
import { useShowError } from "../../app/errors.tsx";
import { Text, useText } from "../../app/i18n.tsx";
import { Address } from "../../ui/display/address.tsx";
import { Notice } from "../../ui/display/notice.tsx";
import { CodeForm } from "./code_form.tsx";
import { MailboxLink } from "./mailbox_link.tsx";
import type { StepProps } from "./second_step.ts";
import classes from "./verify_code.module.css";

export function MailedCode({ signIn, resendAt, others, onBlocked }: StepProps) {
  const text = useText();
  const email = (
    <strong key="email">
      <Address>{signIn.email}</Address>
    </strong>
  );
  const { mailDelayed } = signIn;
  return (
    <CodeForm
      lead={<Text id={mailDelayed ? "verify.delayed_to" : "verify.lead_to"} values={{ email }} />}
      send={(body) => post("/api/verify-code", { body })}
      onBlocked={onBlocked}
    >
      {mailDelayed && (
        <div role="status">
          <Notice icon={IconMailPause}>{text("verify.without_mail")}</Notice>
        </div>
      )}
      <Resend at={resendAt} mailDelayed={mailDelayed} />
      <MailboxLink />
      {others}
    </CodeForm>
  );
}

function Resend({ at, mailDelayed }: { at: number; mailDelayed: boolean }) {
  const text = useText();
  const showError = useShowError("verify.failed");
  const { left, startFor } = useCountdown(at);
  const { mutate, isPending } = useMutation({
    mutationFn: () => post("/api/resend-code"),
    onSuccess: ({ retryAfter }) => {
      startFor(retryAfter);
      toast.success(text(mailDelayed ? "verify.resent_later" : "verify.resent"));
    },
    onError: (error) => {
      if (isApiError(error) && error.retryAfter !== undefined) startFor(error.retryAfter);
      showError(error);
    },
  });
  return (
    <p className={classes.resend}>
      {left > 0 ? (
        text("verify.resend_in", { seconds: left })
      ) : (
        <Anchor component="button" type="button" disabled={isPending} onClick={() => mutate()}>
          {text("verify.resend")}
        </Anchor>
      )}
    </p>
  );
}

/** Whole seconds until `end` (milliseconds since 1970), counted down; `startFor` sets a new end. */
function useCountdown(end: number) {
  const [until, setUntil] = useState(end);
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  function startFor(seconds: number) {
    setNow(Date.now());
    setUntil(Date.now() + seconds * 1000);
  }
  return { left, startFor };
}
