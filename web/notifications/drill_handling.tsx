import { Button, Text as Paragraph } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCheck } from "@tabler/icons-react";
import type { FireDrill } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";
import { useDrillStep } from "./drill_queries.ts";

/** The last step is done by the user. */
export function DrillHandling({ drill: { alertId, version, address } }: { drill: FireDrill }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useDrillStep({
    call: () => post("/api/alerts/:id/handle", { params: { id: alertId }, body: { version } }).finally(close),
    failureTitle: "drill.handle_failed",
  });
  return (
    <>
      <Paragraph size="sm" c="dimmed">
        {text("drill.handle_hint")}
      </Paragraph>
      <div>
        <Button
          size="sm"
          variant="light"
          leftSection={<IconCheck size={18} aria-hidden="true" />}
          loading={isPending}
          onClick={open}
        >
          {text("drill.handle")}
        </Button>
      </div>
      <ConfirmDialog
        opened={opened}
        title={text("drill.handle_title")}
        confirmLabel={text("drill.handle")}
        pending={isPending}
        onConfirm={() => mutate()}
        onClose={close}
      >
        <span className="breakable">{text("drill.handle_text", { address })}</span>
      </ConfirmDialog>
    </>
  );
}
