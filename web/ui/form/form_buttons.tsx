import { Button, Group } from "@mantine/core";
import type { MouseEvent } from "react";
import { Link } from "react-router";
import { useText } from "../../app/i18n.tsx";

type Submit = { submitLabel: string; pending: boolean };
type Props = Submit & { danger?: boolean; onCancel: () => void };

/**
 * Moves the focus when the button is released, not when it is pressed: a field that takes over what was typed as it loses the focus
 * may move the button away from under the pointer, and the click would be lost.
 */
const FOCUS_ON_CLICK = {
  onMouseDown: (event: MouseEvent) => event.preventDefault(),
  onClick: (event: MouseEvent<HTMLButtonElement>) => event.currentTarget.focus(),
};

/** The buttons of a form in a dialog. */
export function FormButtons({ submitLabel, pending, danger = false, onCancel }: Props) {
  const text = useText();
  return (
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={onCancel}>
        {text("cancel")}
      </Button>
      <Button type="submit" loading={pending} {...FOCUS_ON_CLICK} {...(danger && { color: "red.9" })}>
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
      <Button type="submit" loading={pending} {...FOCUS_ON_CLICK}>
        {submitLabel}
      </Button>
    </Group>
  );
}
