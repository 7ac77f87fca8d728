import { Button, Group } from "@mantine/core";
import { useText } from "../app/i18n.tsx";
import { useHandling } from "./handling.tsx";
import type { HandledAlert } from "./queries.ts";

/** For people without an account at the service: both answers mark the alert as handled. */
export function NoAccount({ alert }: { alert: HandledAlert }) {
  const text = useText();
  const { ask } = useHandling();
  return (
    <Group gap="xs">
      {(["account_closed", "not_mine"] as const).map((reason) => (
        <Button
          key={reason}
          size="compact-sm"
          variant="subtle"
          onClick={() => ask({ alerts: [alert], target: "handled", reason })}
        >
          {text(`answer.${reason}`)}
        </Button>
      ))}
    </Group>
  );
}
