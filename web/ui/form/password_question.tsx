import { Stack, Text } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { deleteAccountInput } from "../../../src/identity/account/profile_inputs.ts";
import { post } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { useServerForm } from "../../forms/forms.ts";
import { Dialog } from "../dialog/dialog.tsx";
import { FormButtons } from "./form_buttons.tsx";
import { PasswordField } from "./password_field.tsx";

type Props = { opened: boolean; onConfirmed: () => void; onCancel: () => void };

/** Asks for the account's password (reauthentication). */
export function PasswordQuestion({ opened, ...answers }: Props) {
  const text = useText();
  return (
    <Dialog opened={opened} onClose={answers.onCancel} title={text("confirm.title")}>
      <PasswordForm {...answers} />
    </Dialog>
  );
}

function PasswordForm({ onConfirmed, onCancel }: Omit<Props, "opened">) {
  const text = useText();
  const { element, field, submit, pending } = useServerForm({
    initialValues: { password: "" },
    validate: schemaResolver(deleteAccountInput, { sync: true }),
    send: (body) => post("/api/confirm-password", { body }),
    failureTitle: "confirm.failed",
    onSuccess: onConfirmed,
  });
  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Stack gap={18}>
        <Text>{text("confirm.text")}</Text>
        <PasswordField
          label={text("field.password")}
          autoComplete="current-password"
          data-autofocus
          {...field("password")}
        />
        <FormButtons submitLabel={text("confirm.submit")} pending={pending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
