import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useText } from "../../app/i18n.tsx";

/** A password field with a button to show it. Mantine's own does not expose its error to assistive technology. */
export function PasswordField({ error, ...props }: PasswordInputProps) {
  const text = useText();
  return (
    <PasswordInput
      {...props}
      error={error}
      aria-invalid={error !== undefined}
      visibilityToggleButtonProps={{ "aria-label": text("field.show_password") }}
    />
  );
}
