import { Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { useText } from "../app/i18n.tsx";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";

type Props = {
  opened: boolean;
  title: string;
  words: string;
  confirmLabel: string;
  name: string;
  pending: boolean;
  onConfirm: (block: boolean) => void;
  onClose: () => void;
};

/** Confirms a refusal or withdrawal, with an option to block further requests. */
export function RefusalDialog({ name, words, onConfirm, onClose, ...dialog }: Props) {
  const text = useText();
  const [block, setBlock] = useState(false);
  function close() {
    setBlock(false);
    onClose();
  }
  return (
    <ConfirmDialog {...dialog} danger onConfirm={() => onConfirm(block)} onClose={close}>
      <Stack gap="md">
        {words}
        <Checkbox
          label={text("blocking.label", { name })}
          description={text("blocking.hint", { name })}
          checked={block}
          onChange={({ currentTarget }) => setBlock(currentTarget.checked)}
        />
      </Stack>
    </ConfirmDialog>
  );
}
