import { Button, Group } from "@mantine/core";
import { Link } from "react-router";
import { useText } from "../../app/i18n.tsx";

type Submit = { submitLabel: string; pending: boolean };
type Props = Submit & { danger?: boolean; onCancel: () => void };

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

/** The buttons of a form on a page of its own; `cancelTo` is the path of the page that it came from. */
export function PageFormButtons({ submitLabel, pending, cancelTo }: Submit & { cancelTo: string }) {
  const text = useText();
  return (
    <Group justify="flex-end" gap="sm">
      <Button component={Link} to={`../${cancelTo}`} variant="default">
        {text("cancel")}
      </Button>
      <Button type="submit" loading={pending}>
        {submitLabel}
      </Button>
    </Group>
  );
}
