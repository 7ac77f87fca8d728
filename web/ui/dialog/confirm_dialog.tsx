import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useText } from "../../app/i18n.tsx";
import { Dialog } from "./dialog.tsx";

type Props = {
  opened: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  /** For questions where "Cancel" would be ambiguous. */
  keepLabel?: string;
  danger?: boolean;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks for confirmation; when the action is destructive, the focus is on the button that cancels. */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirmLabel,
  keepLabel,
  danger = false,
  pending,
  onConfirm,
  onClose,
}: Props) {
  const text = useText();
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <Text component="div">{children}</Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus={danger || undefined}>
          {keepLabel ?? text("cancel")}
        </Button>
        <Button
          {...(danger && { color: "red.9" })}
          loading={pending}
          // A dialog that fades out can still be clicked.
          onClick={opened ? onConfirm : undefined}
          data-autofocus={!danger || undefined}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Dialog>
  );
}
