import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp, IconCheck } from "@tabler/icons-react";
import { toast } from "sonner";
import { useShowError } from "../errors.tsx";
import { useText } from "../i18n.tsx";
import { ConfirmDialog } from "../ui/confirm_dialog.tsx";
import { useBreachName } from "./breach_name.ts";
import { type ToggledAlert, useToggleAlert } from "./queries.ts";

/** Mark as handled, after "Are you sure?"; or take that back. */
export function ToggleButton({ alert }: { alert: ToggledAlert }) {
  const text = useText();
  const nameOf = useBreachName();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useToggleAlert();
  const showError = useShowError("alerts.toggle_failed");
  const pending = alert.state === "pending";
  const name = { title: nameOf(alert), address: alert.address };
  function toggle() {
    mutate(alert, {
      onSuccess: () => toast.success(text(pending ? "alerts.now_handled" : "alerts.now_pending", name)),
      onError: showError,
      onSettled: close,
    });
  }
  return (
    <>
      <Button
        size="sm"
        variant={pending ? "light" : "default"}
        loading={isPending && !opened}
        leftSection={
          pending ? <IconCheck size={18} aria-hidden="true" /> : <IconArrowBackUp size={18} aria-hidden="true" />
        }
        aria-label={text(pending ? "alerts.handle_label" : "alerts.reopen_label", name)}
        onClick={pending ? open : toggle}
      >
        {text(pending ? "alerts.handle" : "alerts.reopen")}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={text("alerts.sure")}
        confirmLabel={text("alerts.handle")}
        pending={isPending}
        onConfirm={toggle}
        onClose={close}
      >
        {text("alerts.sure_text", name)}
      </ConfirmDialog>
    </>
  );
}
