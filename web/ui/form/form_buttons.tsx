import { Button, Group } from "@mantine/core";
import { useText } from "../../app/i18n.tsx";

type Props = { submitLabel: string; pending: boolean; danger?: boolean; onCancel: () => void };

/** The buttons of a form in a dialog. */
export function FormButtons({ submitLabel, pending, danger = false, onCancel }: Props) {
  const text = useText();
  return (
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={onCancel}>
        {text("cancel")}
      </Button>
      <Button type="submit" loading={pending} {...(danger && { color: "red.9" })}>
        {submitLabel}
      </Button>
    </Group>
  );
}
