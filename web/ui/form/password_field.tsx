import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useText } from "../../app/i18n.tsx";

/** A password with a button to see it. Mantine's own does not say to assistive technology that it is wrong. */
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
