import { api } from "../../api/api.ts";
import { useText } from "../../app/i18n.tsx";
import { CodeForm } from "./code_form.tsx";
import type { StepProps } from "./second_step.ts";

export function AppCode({ others, onBlocked }: StepProps) {
  const text = useText();
  return (
    <CodeForm lead={text("verify.app_lead")} send={api.verifyAuthenticator} onBlocked={onBlocked}>
      {others}
    </CodeForm>
  );
}
