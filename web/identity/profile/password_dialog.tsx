import { Text } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { toast } from "sonner";
import { changePasswordInput } from "../../../src/identity/account/profile_inputs.ts";
import { put } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { useServerForm } from "../../forms/forms.ts";
import { useConfirmed } from "../../ui/dialog/confirmation.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { FormButtons } from "../../ui/form/form_buttons.tsx";
import { PasswordField } from "../../ui/form/password_field.tsx";
import { PasswordChecklist } from "../sign_in/password_checklist.tsx";
import { useRefresh } from "./account_action.tsx";
import classes from "./profile.module.css";

type Props = { opened: boolean; onClose: () => void };

export function PasswordDialog({ opened, onClose }: Props) {
  const text = useText();
  return (
    <Dialog opened={opened} onClose={onClose} title={text("security.password_change")}>
      <PasswordForm onClose={onClose} />
    </Dialog>
  );
}

function PasswordForm({ onClose }: Pick<Props, "onClose">) {
  const text = useText();
  const confirmed = useConfirmed();
  const refresh = useRefresh("/api/sessions");
  const { form, element, field, submit, pending } = useServerForm({
    initialValues: { password: "", confirmPassword: "" },
    validate: schemaResolver(changePasswordInput, { sync: true }),
    send: (values) => confirmed(() => put("/api/profile/password", { body: values })),
    failureTitle: "reset.failed",
    onSuccess: () => {
      toast.success(text("security.password_changed"));
      void refresh();
      onClose();
    },
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <Text>{text("security.password_lead")}</Text>
      <div>
        <PasswordField
          label={text("reset.new_password")}
          autoComplete="new-password"
          aria-details="new-password-rules"
          data-autofocus
          {...field("password")}
        />
        <PasswordChecklist id="new-password-rules" password={form.values.password} isRenewed />
      </div>
      <PasswordField label={text("field.confirm_password")} autoComplete="new-password" {...field("confirmPassword")} />
      <FormButtons submitLabel={text("security.password_change")} pending={pending} onCancel={onClose} />
    </form>
  );
}
