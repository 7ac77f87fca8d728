import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { toast } from "sonner";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";
import classes from "./dashboard.module.css";
import { useAction } from "./queries.ts";

type Props = {
  /** The selected addresses on all pages. */
  selected: ReadonlySet<string>;
  onClear: () => void;
};

/** Bulk actions, while addresses are selected. */
export function SelectionBar({ selected, onClear }: Props) {
  const text = useText();
  if (selected.size === 0) return null;
  return (
    <div className={classes.selection}>
      <Text size="sm" aria-live="polite">
        {text("selection.count", { count: selected.size })}
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={onClear}>
        {text("selection.clear")}
      </Button>
      <RemoveSelected ids={[...selected]} onRemoved={onClear} />
    </div>
  );
}

function RemoveSelected({ ids, onRemoved }: { ids: string[]; onRemoved: () => void }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useAction({
    call: () => post("/api/associations/remove", { body: { ids } }),
    failureTitle: "selection.remove_failed",
    onDone: ({ removed }) => {
      toast.success(text("selection.removed", { count: removed }));
      onRemoved();
    },
  });
  return (
    <>
      <Button color="red.9" size="compact-sm" leftSection={<IconTrash size={17} aria-hidden="true" />} onClick={open}>
        {text("selection.remove", { count: ids.length })}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={text("selection.remove_title", { count: ids.length })}
        confirmLabel={text("selection.remove", { count: ids.length })}
        danger
        pending={isPending}
        onConfirm={() => mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        {text("selection.remove_text")}
      </ConfirmDialog>
    </>
  );
}
