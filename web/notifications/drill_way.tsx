import { Anchor, Button, Text as Paragraph } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { toast } from "sonner";
import { type Delivery, type FireDrill, isApiError } from "../api/api.ts";
import { remove } from "../api/call.ts";
import { Text, useText } from "../app/i18n.tsx";
import { DeliveryList } from "../shared/delivery_list.tsx";
import { Address } from "../ui/display/address.tsx";
import { type Fetch, Fetched } from "../ui/display/fetched.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { DrillHandling } from "./drill_handling.tsx";
import { type Outcome, outcomeOf } from "./drill_outcome.ts";
import { drillMessagesQuery, useDrillStep } from "./drill_queries.ts";
import { DrillStep, type StepState } from "./drill_step.tsx";
import { DrillVerdict } from "./drill_verdict.tsx";
import classes from "./fire_drill.module.css";

const TOLD = {
  under_way: "busy",
  works: "done",
  needless: "done",
  waiting: "waiting",
  failed: "failed",
} as const satisfies Record<Outcome["kind"], StepState>;

/** When the last message had arrived; null if none has. */
function lastToldAt({ reached, tookMs }: Outcome, { startedAt }: FireDrill): string | null {
  return reached === 0 ? null : new Date(Date.parse(startedAt) + tookMs).toISOString();
}

type Props = { drill: FireDrill };

/** The progress of the drill step by step, and its result. */
export function DrillWay({ drill, onEnded }: Props & { onEnded: () => void }) {
  const text = useText();
  const query = useQuery(drillMessagesQuery(drill));
  const outcome = outcomeOf(query.data?.items ?? [], drill.startedAt);
  const isHandled = drill.state === "handled";
  return (
    <>
      <ol className={classes.way}>
        <DrillStep title={text("drill.detected")} at={drill.startedAt} state="done">
          <Paragraph size="sm" c="dimmed">
            <Text id="drill.detected_text" values={{ address: <Address key="address">{drill.address}</Address> }} />
          </Paragraph>
        </DrillStep>
        <DrillStep title={text("drill.raised")} at={drill.startedAt} state="done">
          <ToAlert alertId={drill.alertId} />
        </DrillStep>
        <DrillStep title={text("drill.told")} at={lastToldAt(outcome, drill)} state={TOLD[outcome.kind]}>
          <Messages query={query} />
        </DrillStep>
        <DrillStep title={text("drill.handled")} at={drill.handledAt} state={isHandled ? "done" : "open"}>
          {!isHandled && <DrillHandling drill={drill} />}
        </DrillStep>
      </ol>
      <DrillVerdict outcome={outcome} isHandled={isHandled} />
      <End drill={drill} isOver={outcome.kind !== "under_way" && isHandled} onEnded={onEnded} />
    </>
  );
}

function Messages({ query }: { query: Fetch<{ items: Delivery[] }> }) {
  const text = useText();
  return (
    <div aria-live="polite">
      <Fetched query={query} failureTitle={text("delivery.load_failed")} height={64}>
        {({ items }) =>
          items.length === 0 ? (
            <Paragraph size="sm" c="dimmed">
              {text("drill.writing")}
            </Paragraph>
          ) : (
            <DeliveryList deliveries={items} />
          )
        }
      </Fetched>
    </div>
  );
}

function ToAlert({ alertId }: Pick<FireDrill, "alertId">) {
  const text = useText();
  return (
    <Anchor component={Link} to={`../alerts?alert=${alertId}`} size="sm">
      {text("drill.see_alert")}
    </Anchor>
  );
}

/** Ending a drill that has already ended counts as success. */
function endDrill(): Promise<unknown> {
  return remove("/api/fire-drill").catch((error: unknown) => {
    if (!isApiError(error) || error.code !== "NOT_FOUND") throw error;
  });
}

function End({ drill: { endsAt }, isOver, onEnded }: Props & { isOver: boolean; onEnded: () => void }) {
  const text = useText();
  const formatDate = useFormatDate();
  const { mutate, isPending } = useDrillStep({
    call: endDrill,
    failureTitle: "drill.end_failed",
    onDone() {
      toast.success(text("drill.ended"));
      onEnded();
    },
  });
  return (
    <div className={classes.foot}>
      <Button variant={isOver ? "filled" : "default"} loading={isPending} onClick={() => mutate()}>
        {text("drill.end")}
      </Button>
      <Paragraph size="sm" c="dimmed">
        {text("drill.ends", { when: formatDate(endsAt, { dateStyle: "medium", timeStyle: "short" }) })}
      </Paragraph>
    </div>
  );
}
