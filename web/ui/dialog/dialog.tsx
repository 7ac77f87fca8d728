import type { ModalProps } from "@mantine/core";
import { useId } from "react";
import { useText } from "../../app/i18n.tsx";
import { useFocusBack } from "./focus.ts";
import { useOverlays } from "./use_overlays.ts";

/**
 * A dialog that closes with Esc, a click outside or its button. In a `Modal.Stack` only the topmost is visible and gets
 * the keyboard; the others keep their input.
 */
export function Dialog({ opened, ...props }: ModalProps) {
  const text = useText();
  const id = useId();
  useFocusBack(opened);
  const { overlays, isOpen } = useOverlays(opened, props.onClose);
  if (overlays === undefined) return null;
  return (
    <overlays.Modal
      opened={isOpen}
      stackId={id}
      returnFocus={false}
      closeButtonProps={{ "aria-label": text("close") }}
      padding="lg"
      centered
      {...props}
    />
  );
}
