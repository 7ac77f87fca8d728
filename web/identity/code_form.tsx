import { Button, Input, PinInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { type ReactNode, useId } from "react";
import { verifyCodeInput } from "../../src/identity/inputs.ts";
import { useServerForm } from "../forms.ts";
import { useText } from "../i18n.tsx";
import { BackToLogin } from "./back_to_login.tsx";
import { type StepProps, unlessBlocked, useSignedIn } from "./second_step.ts";
import { SignInCard } from "./sign_in_card.tsx";
import classes from "./verify_code.module.css";

type Props = Pick<StepProps, "onBlocked"> & {
  lead: ReactNode;
  send: (body: { code: string }) => Parameters<typeof unlessBlocked>[0];
  children: ReactNode;
};

/** Six digits, wherever they come from; sent by themselves when the last one is typed. */
export function CodeForm({ lead, send, onBlocked, children }: Props) {
  const text = useText();
  const labelId = useId();
  const { form, element, field, submit, pending } = useServerForm({
    initialValues: { code: "" },
    validate: schemaResolver(verifyCodeInput, { sync: true }),
    send: (body) => unlessBlocked(send(body)),
    failureTitle: "verify.failed",
    fieldsOf: ({ code }) => (code === "CODE_INVALID" ? { code } : {}),
    emptied: { code: "" },
    onSuccess: useSignedIn(onBlocked),
  });
  const { error, ...code } = field("code");
  return (
    <SignInCard title={text("verify.title")} lead={lead} formRef={element} onSubmit={submit} below={<BackToLogin />}>
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
      {children}
    </SignInCard>
  );
}
