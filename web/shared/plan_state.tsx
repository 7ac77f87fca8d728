import type { Subscription } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { Badge, type Tone } from "../ui/display/badge.tsx";

const STATES: Record<Exclude<Subscription["status"], "off">, [Tone, TextId]> = {
  trial: ["accent", "plan_state.active"],
  active: ["safe", "plan_state.active"],
  grace: ["alarm", "plan_state.grace"],
  inactive: ["quiet", "plan_state.inactive"],
};

/** Whether a plan is active. The page has to load the topic `billing`. */
export function PlanState({ subscription: { status, unpaid } }: { subscription: Subscription }) {
  const text = useText();
  if (status === "off") return null;
  const [tone, label] = STATES[status];
  return (
    <>
      <Badge tone={tone}>{text(label)}</Badge>
      {status === "inactive" && unpaid && <Badge tone="alarm">{text("plan_state.grace")}</Badge>}
    </>
  );
}
