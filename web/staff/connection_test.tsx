import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { post } from "../api/call.ts";
import type { Connection } from "../api/staff_api.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { useConfirmed } from "../ui/dialog/confirmation.tsx";
import classes from "./staff.module.css";

/** Sends a test message to oneself, or asks a source, and says how that went. */
export function ConnectionTest({ connection, name }: { connection: Connection; name: string }) {
  const text = useText();
  const confirmed = useConfirmed();
  const { mutate, isPending, data } = useMutation({
    mutationFn: () => confirmed(() => post("/api/staff/tests/:connection", { params: { connection }, body: {} })),
    onError: useShowError("staff.settings.failed"),
  });
  const isSource = connection === "hibp" || connection === "xposedornot";
  return (
    <div className={classes.test}>
      <Button
        variant="default"
        size="xs"
        loading={isPending}
        onClick={() => mutate()}
        aria-label={text(isSource ? "staff.settings.ask_of" : "staff.settings.send_by", { name })}
      >
        {text(isSource ? "staff.settings.ask" : "staff.settings.send")}
      </Button>
      <Text size="sm" role="status">
        {data && text(`staff.settings.tested.${data.outcome}`)}
      </Text>
    </div>
  );
}
