import { Button, CloseButton } from "@mantine/core";
import { IconArrowBackUp, IconCheck } from "@tabler/icons-react";
import { MOST_ALERTS_AT_ONCE } from "../../src/shared/alert.ts";
import { useText } from "../app/i18n.tsx";
import classes from "./bulk_bar.module.css";
import { useHandling } from "./handling.tsx";
import type { Selection } from "./selection.ts";

/** The actions for the selected alerts; sticky while the list scrolls. */
export function BulkBar({ selection }: { selection: Selection }) {
  const text = useText();
  const { ask } = useHandling();
  const { alerts } = selection;
  const pending = alerts.filter(({ state }) => state === "pending");
  const handled = alerts.filter(({ state }) => state === "handled");
  return (
    <section className={classes.place} aria-label={text("alerts.actions")}>
      <p className={classes.count} role="status">
        {alerts.length > 0 && text("alerts.selected", { count: alerts.length })}
        {selection.isFull && ` ${text("alerts.selected_most", { count: MOST_ALERTS_AT_ONCE })}`}
      </p>
      {alerts.length > 0 && (
        <div className={classes.bar}>
          <CloseButton aria-label={text("alerts.clear_selection")} onClick={selection.clear} />
          <span aria-hidden="true" className={classes.shown}>
            {text("alerts.selected", { count: alerts.length })}
            {selection.isFull && <small>{text("alerts.selected_most", { count: MOST_ALERTS_AT_ONCE })}</small>}
          </span>
          {pending.length > 0 && (
            <Button
              size="compact-sm"
              leftSection={<IconCheck size={18} aria-hidden="true" />}
              onClick={() => ask({ alerts: pending, target: "handled", onChanged: selection.remove })}
            >
              {text("alerts.handle_some", { count: pending.length })}
            </Button>
          )}
          {handled.length > 0 && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconArrowBackUp size={18} aria-hidden="true" />}
              onClick={() => ask({ alerts: handled, target: "pending", onChanged: selection.remove })}
            >
              {text("alerts.reopen_some", { count: handled.length })}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
