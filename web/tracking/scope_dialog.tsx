import { Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ConsentScope } from "../../src/shared/consent.ts";
import { useText } from "../app/i18n.tsx";
import { ScopeChoice } from "../shared/scope_choice.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { FormButtons } from "../ui/form/form_buttons.tsx";

type Props = {
  opened: boolean;
  title: string;
  words: string;
  submitLabel: string;
  name: string;
  initial: ConsentScope;
  pending: boolean;
  onSubmit: (scope: ConsentScope) => void;
  onClose: () => void;
};

/** Asks for the scope to grant; the selection is reset when the dialog closes. */
export function ScopeDialog({ opened, title, onClose, ...form }: Props) {
  return (
    <Dialog opened={opened} title={title} onClose={onClose}>
      {opened && <ScopeForm {...form} onClose={onClose} />}
    </Dialog>
  );
}

function ScopeForm({ words, submitLabel, name, initial, pending, onSubmit, onClose }: Omit<Props, "opened" | "title">) {
  const text = useText();
  const [scope, setScope] = useState(initial);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit(scope);
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Text>{words}</Text>
        <ScopeChoice label={text("requests.scope", { name })} value={scope} onChange={setScope} />
        <FormButtons submitLabel={submitLabel} pending={pending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
