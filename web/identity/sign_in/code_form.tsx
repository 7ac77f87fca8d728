import { Button } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { type ReactNode, useState } from "react";
import { verifyCodeInput } from "../../../src/identity/inputs.ts";
import { useText } from "../../app/i18n.tsx";
import { useServerForm } from "../../forms/forms.ts";
import { BackToLogin } from "./back_to_login.tsx";
import { CodeBoxes } from "./code_boxes.tsx";
import { type StepProps, unlessBlocked, useSignedIn } from "./second_step.ts";
import { SignInCard } from "./sign_in_card.tsx";

type Props = Pick<StepProps, "onBlocked"> & {
  lead: ReactNode;
  send: (body: { code: string }) => Parameters<typeof unlessBlocked>[0];
  children: ReactNode;
};

const check = schemaResolver(verifyCodeInput, { sync: true });

/** The form for a six-digit code; submits itself after the last digit. Input without a code is not sent. */
export function CodeForm({ lead, send, onBlocked, children }: Props) {
  const text = useText();
  const [isNoCode, setIsNoCode] = useState(false);
  const { form, element, field, submit, refuse, pending } = useServerForm({
    initialValues: { code: "" },
    validate(values) {
      const errors = check(values);
      setIsNoCode(errors.code !== undefined);
      return errors;
    },
    send: (body) => unlessBlocked(send(body)),
    failureTitle: "verify.failed",
    fieldsOf: ({ code }) => (code === "CODE_INVALID" ? { code } : {}),
    emptied: { code: "" },
    onSuccess: useSignedIn(onBlocked),
  });
  const { value, onChange, error } = field("code");
  return (
    <SignInCard title={text("verify.title")} lead={lead} formRef={element} onSubmit={submit} below={<BackToLogin />}>
      <CodeBoxes
        value={value}
        error={error}
        hint={isNoCode && error ? text("verify.six_digits") : undefined}
        onChange={onChange}
        onComplete={() => element.current?.requestSubmit()}
        onNoCode={() => {
          setIsNoCode(true);
          refuse({ code: "CODE_INVALID" });
        }}
      />
      <Button type="submit" size="md" loading={pending} disabled={form.values.code === ""}>
        {text("verify.submit")}
      </Button>
      {children}
    </SignInCard>
  );
}
