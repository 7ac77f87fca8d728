import "./overlays.ts";
import { Button, Group, Text } from "@mantine/core";
import { Dialog } from "./dialog.tsx";

type Props = { opened: boolean; title: string; message: string; closeLabel: string; onClose: () => void };

/** A dialog with a message and a close button. */
export function MessageDialog({ opened, title, message, closeLabel, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <Text>{message}</Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          {closeLabel}
        </Button>
      </Group>
    </Dialog>
  );
}
