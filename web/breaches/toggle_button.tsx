import { Button } from "@mantine/core";
import { IconArrowBackUp, IconCheck } from "@tabler/icons-react";
import { useText } from "../app/i18n.tsx";
import { useBreachName } from "./breach_name.ts";
import { useHandling } from "./handling.tsx";
import type { HandledAlert } from "./queries.ts";

type Props = {
  alert: HandledAlert;
  compact?: boolean;
  /** True when it is the only remaining step. */
  isNext?: boolean;
};

/** Marks an alert as handled or pending again, after confirmation. */
export function ToggleButton({ alert, compact = false, isNext = false }: Props) {
  const text = useText();
  const nameOf = useBreachName();
  const { ask } = useHandling();
  const isPending = alert.state === "pending";
  const Mark = isPending ? IconCheck : IconArrowBackUp;
  const name = { title: nameOf(alert), address: alert.address };
  return (
    <Button
      size={compact ? "compact-sm" : "sm"}
      {...(compact && { fz: 13 })}
      variant={isNext ? "filled" : isPending ? "light" : "default"}
      leftSection={!compact && <Mark size={18} aria-hidden="true" />}
      aria-label={text(isPending ? "alerts.handle_label" : "alerts.reopen_label", name)}
      onClick={() => ask({ alerts: [alert], target: isPending ? "handled" : "pending" })}
    >
      {text(isPending ? "alerts.handle" : "alerts.reopen")}
    </Button>
  );
}
