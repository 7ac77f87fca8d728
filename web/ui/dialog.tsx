import { Modal, type ModalProps } from "@mantine/core";
import { useId } from "react";
import { useText } from "../i18n.tsx";
import { useFocusBack } from "./focus.ts";

/**
 * A dialog that can be closed with Esc, outside and by its button. Within a `Modal.Stack` only the topmost one is seen and
 * takes the keyboard; the ones below keep what was typed.
 */
export function Dialog({ opened, ...props }: ModalProps) {
  const text = useText();
  const id = useId();
  useFocusBack(opened);
  return (
    <Modal
      opened={opened}
      stackId={id}
      returnFocus={false}
      closeButtonProps={{ "aria-label": text("close") }}
      padding="lg"
      centered
      {...props}
    />
  );
}
