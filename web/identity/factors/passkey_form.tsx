import { Text, TextInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { useState } from "react";
import { toast } from "sonner";
import { passkeyNameInput } from "../../../src/identity/factors/factor_inputs.ts";
import { useText } from "../../app/i18n.tsx";
import { useServerForm } from "../../forms/forms.ts";
import { useConfirmed } from "../../ui/dialog/confirmation.tsx";
import { FormButtons } from "../../ui/form/form_buttons.tsx";
import { useRefresh } from "../profile/account_action.tsx";
import classes from "../profile/profile.module.css";
import { createPasskey, type PasskeyRefusal } from "./passkey_creation.ts";

type Props = { onDone: (recoveryCodes: string[] | null) => void; onClose: () => void };

/** Names a new passkey, then starts its registration in the browser. */
export function PasskeyForm({ onDone, onClose }: Props) {
  const text = useText();
  const confirmed = useConfirmed();
  const refresh = useRefresh("/api/factors");
  const [refusal, setRefusal] = useState<PasskeyRefusal["refusal"]>();
  const { element, field, submit, pending } = useServerForm({
    initialValues: { name: "" },
    validate: schemaResolver(passkeyNameInput, { sync: true }),
    send: ({ name }) => {
      setRefusal(undefined);
      return createPasskey(name, confirmed);
    },
    failureTitle: "passkeys.failed",
    onSuccess: (answer, { name }) => {
      if ("refusal" in answer) return setRefusal(answer.refusal);
      toast.success(text("passkeys.done", { name: name.trim() }));
      void refresh();
      onDone(answer.recoveryCodes);
    },
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <Text>{text("passkeys.add_text")}</Text>
      <TextInput
        label={text("passkeys.name")}
        description={text("passkeys.name_example")}
        autoComplete="off"
        data-autofocus
        {...field("name")}
      />
      {refusal && (
        <p role="alert" className={classes.problem}>
          {text(`passkeys.${refusal}`)}
        </p>
      )}
      <FormButtons submitLabel={text("passkeys.continue")} pending={pending} onCancel={onClose} />
    </form>
  );
}
