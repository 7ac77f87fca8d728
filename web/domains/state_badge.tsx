import {
  type Icon,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconClockExclamation,
  IconPlayerPause,
  IconShieldQuestion,
} from "@tabler/icons-react";
import type { Domain, DomainState } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { Badge, type Tone } from "../ui/display/badge.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";

const LOOKS: Record<DomainState, { tone: Tone; icon: Icon }> = {
  pending: { tone: "accent", icon: IconShieldQuestion },
  waiting: { tone: "note", icon: IconClock },
  proven: { tone: "safe", icon: IconCircleCheck },
  failing: { tone: "alarm", icon: IconClockExclamation },
  ended: { tone: "quiet", icon: IconCircleX },
};

/** Whether the claim is in effect, so that findings may be shown. */
export function isHeld({ state }: Pick<Domain, "state">): boolean {
  return state === "proven" || state === "failing";
}

/** The state of a claim; `suspended` where the plan does not cover a claim in effect. */
export function DomainBadge({ domain }: { domain: Domain }) {
  const text = useText();
  const formatDate = useFormatDate();
  const { state, coverage, effectiveAt, failingSince } = domain;
  if (coverage === "suspended" && isHeld(domain))
    return (
      <Badge tone="alarm" icon={IconPlayerPause}>
        {text("domains.state.suspended")}
      </Badge>
    );
  const date = (state === "waiting" ? effectiveAt : state === "failing" ? failingSince : null) ?? undefined;
  return (
    <Badge {...LOOKS[state]}>
      {text(`domains.state.${state}`, date === undefined ? {} : { date: formatDate(date, { dateStyle: "medium" }) })}
    </Badge>
  );
}
