import { Button, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useText } from "../../app/i18n.tsx";
import type { Field } from "../../forms/forms.ts";
import { PasswordField } from "../../ui/form/password_field.tsx";

type Props = { field: Field; pending: boolean; isKnown?: boolean; children?: ReactNode };

export function LoginFields({ field, pending, isKnown = false, children }: Props) {
  const text = useText();
  return (
    <>
      <TextInput label={text("field.email")} type="email" autoComplete="username" size="md" {...field("email")} />
      <PasswordField
        label={text("field.password")}
        autoComplete="current-password"
        size="md"
        // After registration only the password is left to type.
        {...(isKnown && { "data-arrival": true })}
        {...field("password")}
      />
      {children}
      <Button type="submit" size="md" loading={pending}>
        {text("login.submit")}
      </Button>
    </>
  );
}
