import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useText } from "../app/i18n.tsx";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";

type Props = {
  /** The account that would be blocked. */
  name: string;
  label: string;
  question: string;
  consequence: string;
  pending: boolean;
  onRefuse: (block: boolean) => void;
};

/** A refusal with confirmation and an option to block further requests. */
export function RefusalButton({ name, label, question, consequence, pending, onRefuse }: Props) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const [block, setBlock] = useState(false);
  return (
    <>
      <Button variant="default" size="md" onClick={open}>
        {label}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={question}
        confirmLabel={label}
        danger
        pending={pending}
        onConfirm={() => onRefuse(block)}
        onClose={close}
      >
        <Stack gap="md">
          <Text>{consequence}</Text>
          <Checkbox
            label={text("refusal.block")}
            description={text("refusal.block_text", { name })}
            checked={block}
            onChange={({ currentTarget }) => setBlock(currentTarget.checked)}
          />
        </Stack>
      </ConfirmDialog>
    </>
  );
}
