import { Button, Input, PinInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { useIntl } from "react-intl";
import { useLocation, useNavigate } from "react-router";
import { toast } from "sonner";
import { verifyCodeInput } from "../../src/identity/inputs.ts";
import { isLanguage } from "../../src/shared/language.ts";
import { api, isApiError } from "../api.ts";
import { useShowError } from "../errors.tsx";
import { useServerForm } from "../forms.ts";
import { useText } from "../i18n.tsx";
import { pathAfterSignIn } from "../session.ts";
import { BackToLogin } from "./back_to_login.tsx";
import type { CodeSent } from "./code_sent.ts";
import { MailboxLink } from "./mailbox_link.tsx";
import { SignInCard } from "./sign_in_card.tsx";
import { useCountdown } from "./use_countdown.ts";
import classes from "./verify_code.module.css";

const RESEND_SECONDS = 60;

export default function VerifyCode() {
  const { locale } = useIntl();
  const navigate = useNavigate();
  const text = useText();
  const labelId = useId();
  const sent = useLocation().state as CodeSent | null;
  const { form, element, field, submit, pending } = useServerForm({
    initialValues: { code: "" },
    validate: schemaResolver(verifyCodeInput, { sync: true }),
    send: api.verifyCode,
    failureTitle: "verify.failed",
    fieldsOf: ({ code }) => (code === "CODE_INVALID" ? { code } : {}),
    emptied: { code: "" },
    onSuccess: ({ language }) => navigate(pathAfterSignIn(isLanguage(locale) ? locale : "en", language)),
  });
  const { error, ...code } = field("code");
  return (
    <SignInCard
      title={text("verify.title")}
      lead={sent ? text("verify.lead_to", { email: sent.email }) : text("verify.lead")}
      formRef={element}
      onSubmit={submit}
      below={<BackToLogin />}
    >
      <Input.Wrapper label={text("verify.code")} labelElement="div" labelProps={{ id: labelId }} error={error}>
        <PinInput
          {...code}
          length={6}
          type="number"
          size="lg"
          gap="xs"
          autoFocus
          oneTimeCode
          placeholder=""
          error={error !== undefined}
          aria-labelledby={labelId}
          getInputProps={(index) => ({
            "aria-label": text("verify.digit", { n: index + 1 }),
            "aria-invalid": error !== undefined,
          })}
          onComplete={() => element.current?.requestSubmit()}
          classNames={{ root: classes.pins, pinInput: classes.pin }}
        />
      </Input.Wrapper>
      <Button type="submit" size="md" loading={pending} disabled={form.values.code === ""}>
        {text("verify.submit")}
      </Button>
      <Resend sentAt={sent?.sentAt} />
      <MailboxLink />
    </SignInCard>
  );
}

function Resend({ sentAt }: { sentAt: number | undefined }) {
  const text = useText();
  const showError = useShowError("verify.failed");
  const { left, startFor } = useCountdown(sentAt === undefined ? 0 : sentAt + RESEND_SECONDS * 1000);
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
    <Button variant="subtle" disabled={left > 0} loading={isPending} onClick={() => mutate()}>
      {left > 0 ? text("verify.resend_in", { seconds: left }) : text("verify.resend")}
    </Button>
  );
}
