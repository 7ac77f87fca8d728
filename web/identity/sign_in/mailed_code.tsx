import { Anchor } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { api, isApiError } from "../../api/api.ts";
import { useShowError } from "../../app/errors.tsx";
import { Text, useText } from "../../app/i18n.tsx";
import { CodeForm } from "./code_form.tsx";
import { MailboxLink } from "./mailbox_link.tsx";
import type { StepProps } from "./second_step.ts";
import { useCountdown } from "./use_countdown.ts";
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
