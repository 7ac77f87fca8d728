import { Button, Checkbox, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { toast } from "sonner";
import { type Association, api } from "../api.ts";
import { useText } from "../i18n.tsx";
import { ConfirmDialog } from "../ui/confirm_dialog.tsx";
import classes from "./dashboard.module.css";
import { useAction } from "./queries.ts";

type Props = {
  /** Of the page in sight. */
  items: Association[];
  /** Of all pages. */
  selected: ReadonlySet<string>;
  onChange: (ids: string[], isSelected: boolean) => void;
  onClear: () => void;
};

/** Several addresses at once. */
export function SelectionBar({ items, selected, onChange, onClear }: Props) {
  const text = useText();
  if (items.length < 2 && selected.size === 0) return null;
  const ids = items.map(({ id }) => id);
  const isAll = ids.length > 0 && ids.every((id) => selected.has(id));
  return (
    <div className={classes.selection}>
      <Checkbox
        label={text("selection.all")}
        checked={isAll}
        indeterminate={!isAll && ids.some((id) => selected.has(id))}
        onChange={() => onChange(ids, !isAll)}
      />
      <Text size="sm" aria-live="polite">
        {selected.size > 0 && text("selection.count", { count: selected.size })}
      </Text>
      {selected.size > 0 && (
        <>
          <Button variant="subtle" size="compact-sm" onClick={onClear}>
            {text("selection.clear")}
          </Button>
          <RemoveSelected ids={[...selected]} onRemoved={onClear} />
        </>
      )}
    </div>
  );
}

function RemoveSelected({ ids, onRemoved }: { ids: string[]; onRemoved: () => void }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useAction({
    call: () => api.stopTrackingAll(ids),
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
