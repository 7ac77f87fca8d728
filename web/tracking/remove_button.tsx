import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { toast } from "sonner";
import type { Association } from "../api/api.ts";
import { remove } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";
import { useAction } from "./queries.ts";

type Removed = Pick<Association, "id" | "address">;

/** Stops tracking an address, after confirmation. */
export function RemoveButton({ association }: { association: Removed }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        variant="default"
        size="sm"
        aria-label={text("association.remove_label", { address: association.address })}
        onClick={open}
      >
        {text("association.remove")}
      </Button>
      <RemoveDialog association={association} opened={opened} onClose={close} />
    </>
  );
}

type DialogProps = { association: Removed; opened: boolean; onClose: () => void; onRemoved?: () => void };

/** Confirms that an address is no longer tracked. */
export function RemoveDialog({ association: { id, address }, opened, onClose, onRemoved }: DialogProps) {
  const text = useText();
  const { mutate, isPending } = useAction({
    call: () => remove("/api/associations/:id", { params: { id } }),
    failureTitle: "association.remove_failed",
    onDone: () => {
      toast.success(text("association.removed", { address }));
      onRemoved?.();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={text("association.remove_title")}
      confirmLabel={text("association.remove_confirm")}
      danger
      pending={isPending}
      onConfirm={() => mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      {text("association.remove_text", { address })}
    </ConfirmDialog>
  );
}
