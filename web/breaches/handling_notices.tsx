import { IconAlertTriangle, IconArrowsExchange } from "@tabler/icons-react";
import { useExplain } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { Notice } from "../ui/display/notice.tsx";
import type { Target } from "./alert_mutations.ts";
import { useBreachName } from "./breach_name.ts";
import { type Conflict, conflictText } from "./conflict.ts";
import classes from "./handling.module.css";

/** Lists the alerts in conflict with their current state. */
export function ConflictNotice({ conflicts, target }: { conflicts: Conflict[]; target: Target }) {
  const text = useText();
  const nameOf = useBreachName();
  return (
    <div role="alert">
      <Notice icon={IconArrowsExchange} tone="note">
        <strong>{text("alerts.conflict", { count: conflicts.length })}</strong>
        <ul className={classes.conflicts}>
          {conflicts.map((conflict) => (
            <li key={conflict.seen.id}>{text(conflictText(conflict, target), { title: nameOf(conflict.seen) })}</li>
          ))}
        </ul>
        {text("alerts.conflict_text")}
      </Notice>
    </div>
  );
}

/** The change failed; the input is kept. */
export function FailureNotice({ error }: { error: unknown }) {
  const text = useText();
  const explain = useExplain();
  return (
    <div role="alert">
      <Notice icon={IconAlertTriangle} tone="alarm">
        <strong>{text("alerts.toggle_failed")}</strong>
        <div>{explain(error)}</div>
      </Notice>
    </div>
  );
}
