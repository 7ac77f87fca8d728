import { Button, TextInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { recoveryCodeInput } from "../../../src/identity/factors/factor_inputs.ts";
import { post } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { useServerForm } from "../../forms/forms.ts";
import { BackToLogin } from "./back_to_login.tsx";
import { type StepProps, unlessBlocked, useSignedIn } from "./second_step.ts";
import { SignInCard } from "./sign_in_card.tsx";
import classes from "./verify_code.module.css";

export function RecoveryCode({ others, onBlocked }: StepProps) {
  const text = useText();
  const { element, field, submit, pending } = useServerForm({
    initialValues: { code: "" },
    validate: schemaResolver(recoveryCodeInput, { sync: true }),
    send: (body) => unlessBlocked(post("/api/verify-recovery-code", { body })),
    failureTitle: "verify.failed",
    fieldsOf: ({ code }) => (code === "CODE_INVALID" ? { code } : {}),
    onSuccess: useSignedIn(onBlocked),
  });
  return (
    <SignInCard
      title={text("verify.recovery_title")}
      lead={text("verify.recovery_lead")}
      formRef={element}
      onSubmit={submit}
      below={<BackToLogin />}
    >
      <TextInput
        label={text("verify.recovery_code")}
        placeholder="xxxxx-xxxxx"
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        size="md"
        classNames={{ input: classes.typed }}
        {...field("code")}
      />
      <Button type="submit" size="md" loading={pending}>
        {text("verify.submit")}
      </Button>
      {others}
    </SignInCard>
  );
}
