import { TextInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { toast } from "sonner";
import { passkeyNameInput } from "../../../src/identity/factors/factor_inputs.ts";
import type { Passkey } from "../../api/api.ts";
import { put, remove } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { useServerForm } from "../../forms/forms.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { FormButtons } from "../../ui/form/form_buttons.tsx";
import { ConfirmAccountAction, useRefresh } from "../profile/account_action.tsx";
import classes from "../profile/profile.module.css";
import { focusSection } from "../profile/profile_section.tsx";

/** `passkey` stays set while the dialog closes. */
type Props = { opened: boolean; passkey: Passkey | undefined; onClose: () => void };

export function RenamePasskey({ opened, passkey, onClose }: Props) {
  const text = useText();
  return (
    <Dialog opened={opened} onClose={onClose} title={text("passkeys.rename_title")}>
      {passkey && <NameForm passkey={passkey} onClose={onClose} />}
    </Dialog>
  );
}

function NameForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const text = useText();
  const refresh = useRefresh("/api/factors");
  const { element, field, submit, pending } = useServerForm({
    initialValues: { name: passkey.name },
    validate: schemaResolver(passkeyNameInput, { sync: true }),
    send: ({ name }) => put("/api/factors/passkeys/:id", { params: { id: passkey.id }, body: { name } }),
    failureTitle: "passkeys.rename_failed",
    onSuccess: (_, { name }) => {
      toast.success(text("passkeys.renamed", { name: name.trim() }));
      void refresh();
      onClose();
    },
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <TextInput label={text("passkeys.name")} autoComplete="off" data-autofocus {...field("name")} />
      <FormButtons submitLabel={text("edit.save")} pending={pending} onCancel={onClose} />
    </form>
  );
}

export function RemovePasskey({ opened, passkey, onClose }: Props) {
  const text = useText();
  const { id = "", name = "" } = passkey ?? {};
  return (
    <ConfirmAccountAction
      opened={opened}
      title={text("passkeys.remove_title")}
      confirmLabel={text("passkeys.remove")}
      call={() => remove("/api/factors/passkeys/:id", { params: { id } })}
      changes={["/api/factors"]}
      failureTitle="passkeys.remove_failed"
      onDone={() => {
        toast.success(text("passkeys.removed", { name }));
        focusSection("security");
      }}
      onClose={onClose}
    >
      <span className="breakable">{text("passkeys.remove_text", { name })}</span>
    </ConfirmAccountAction>
  );
}
