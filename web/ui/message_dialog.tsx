import "./mantine_more.css";
import { Button, Group, Modal, Text } from "@mantine/core";

type Props = { opened: boolean; title: string; message: string; closeLabel: string; onClose: () => void };

/** One thing to read and to close. */
export function MessageDialog({ opened, title, message, closeLabel, onClose }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeButtonProps={{ "aria-label": closeLabel }}
      padding="lg"
      centered
    >
      <Text>{message}</Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          {closeLabel}
        </Button>
      </Group>
    </Modal>
  );
}
