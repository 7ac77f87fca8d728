import { post } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { CodeForm } from "./code_form.tsx";
import type { StepProps } from "./second_step.ts";

export function AppCode({ others, onBlocked }: StepProps) {
  const text = useText();
  return (
    <CodeForm
      lead={text("verify.app_lead")}
      send={(body) => post("/api/verify-authenticator", { body })}
      onBlocked={onBlocked}
    >
      {others}
    </CodeForm>
  );
}
