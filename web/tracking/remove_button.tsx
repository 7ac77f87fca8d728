import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { toast } from "sonner";
import { type Association, api } from "../api.ts";
import { useText } from "../i18n.tsx";
import { ConfirmDialog } from "../ui/confirm_dialog.tsx";
import { useAction } from "./queries.ts";

type Props = { association: Pick<Association, "id" | "address">; isBare?: boolean; onRemoved?: () => void };

/** Ends the watching of an address, after asking. */
export function RemoveButton({ association: { id, address }, isBare = false, onRemoved }: Props) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useAction({
    call: () => api.stopTracking(id),
    failureTitle: "association.remove_failed",
    onDone: () => {
      toast.success(text("association.removed", { address }));
      onRemoved?.();
    },
  });
  return (
    <>
      <Button
        variant={isBare ? "default" : "subtle"}
        {...(!isBare && { color: "gray", leftSection: <IconTrash size={17} aria-hidden="true" /> })}
        size={isBare ? "sm" : "compact-sm"}
        aria-label={text("association.remove_label", { address })}
        onClick={open}
      >
        {text("association.remove")}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={text("association.remove_title")}
        confirmLabel={text("association.remove_confirm")}
        danger
        pending={isPending}
        onConfirm={() => mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        {text("association.remove_text", { address })}
      </ConfirmDialog>
    </>
  );
}
