import { Button, Title } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { Link } from "react-router";
import type { Subscription } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { PlanState } from "../shared/plan_state.tsx";
import { usePlanWords } from "../shared/plan_words.ts";
import { PortalButton } from "../shared/portal_button.tsx";
import { Card } from "../ui/display/card.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { beyond } from "./choice.ts";
import classes from "./subscription.module.css";

/** The account's trial or plan: usage, end date and the link to its payments. */
export function CurrentPlan({ held }: { held: Subscription }) {
  const text = useText();
  const words = usePlanWords();
  const { status, cap, tracked, daysLeft, period, unpaid, canPortal } = held;
  const facts = [
    cap === null ? text("summary.used", { used: tracked }) : text("plan.used", { tracked, cap }),
    status === "trial" && daysLeft !== null && text("summary.days_left", { days: daysLeft }),
    status !== "trial" && status !== "inactive" && period !== null && text(`period.${period}`),
    words.lasts(held),
  ].filter((fact) => typeof fact === "string");
  return (
    <section aria-labelledby="held-plan">
      <Card className={classes.held}>
        <div className={classes.heldWords}>
          <div className={classes.heldName}>
            <Title order={2} id="held-plan">
              {words.held(held)}
            </Title>
            <PlanState subscription={held} />
          </div>
          <ul className={classes.heldFacts}>
            {facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </div>
        {canPortal && (
          <PortalButton variant={unpaid ? "filled" : "default"}>
            {text(unpaid ? "portal.settle" : "portal.open")}
          </PortalButton>
        )}
      </Card>
      {status !== "inactive" && <Resting held={held} />}
    </section>
  );
}

/** Shown when addresses exceed the plan: links to where the user chooses which ones are checked. */
function Resting({ held: { tracked, cap } }: { held: Subscription }) {
  const text = useText();
  const over = beyond(tracked, cap);
  if (over === 0) return null;
  return (
    <div className={classes.resting}>
      <Notice
        icon={IconStack2}
        tone="note"
        action={
          <Button component={Link} to="../dashboard?keep" size="sm" variant="default">
            {text("plans.keep")}
          </Button>
        }
      >
        {text("plans.resting", { over })}
      </Notice>
    </div>
  );
}
