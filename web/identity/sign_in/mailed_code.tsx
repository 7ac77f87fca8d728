import { Anchor } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { toast } from "sonner";
import { api, isApiError } from "../../api/api.ts";
import { useShowError } from "../../app/errors.tsx";
import { Text, useText } from "../../app/i18n.tsx";
import { CodeForm } from "./code_form.tsx";
import { MailboxLink } from "./mailbox_link.tsx";
import type { StepProps } from "./second_step.ts";
import classes from "./verify_code.module.css";

export function MailedCode({ signIn, resendAt, others, onBlocked }: StepProps) {
  const email = (
    <strong key="email" className="breakable">
      {signIn.email}
    </strong>
  );
  return (
    <CodeForm lead={<Text id="verify.lead_to" values={{ email }} />} send={api.verifyCode} onBlocked={onBlocked}>
      <Resend at={resendAt} />
      <MailboxLink />
      {others}
    </CodeForm>
  );
}

function Resend({ at }: { at: number }) {
  const text = useText();
  const showError = useShowError("verify.failed");
  const { left, startFor } = useCountdown(at);
  const { mutate, isPending } = useMutation({
    mutationFn: api.resendCode,
    onSuccess: ({ retryAfter }) => {
      startFor(retryAfter);
      toast.success(text("verify.resent"));
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
