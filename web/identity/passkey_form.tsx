import { Text, TextInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { useState } from "react";
import { toast } from "sonner";
import { passkeyNameInput } from "../../src/identity/factor_inputs.ts";
import { useServerForm } from "../forms.ts";
import { useText } from "../i18n.tsx";
import { useConfirmed } from "../ui/confirmation.tsx";
import { FormButtons } from "../ui/form_buttons.tsx";
import { useRefresh } from "./account_action.tsx";
import { createPasskey, type PasskeyRefusal } from "./passkey_creation.ts";
import classes from "./profile.module.css";

type Props = { onDone: (recoveryCodes: string[] | null) => void; onClose: () => void };

/** Names a new passkey; then it is the browser's turn. */
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
