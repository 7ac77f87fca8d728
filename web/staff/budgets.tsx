import { useIntl } from "react-intl";
import type { StaffOverview } from "../api/staff_api.ts";
import { useText } from "../app/i18n.tsx";
import { ChannelIcon } from "../shared/channel_icon.tsx";
import { useChannelName } from "../shared/channel_name.ts";
import { useSourceName } from "../shared/source_name.ts";
import { Part } from "./part.tsx";
import { Row, Rows, Told } from "./rows.tsx";

const MINUTE_MS = 60_000;
/** A budget counts as nearly exhausted from this share on. */
const SHORT = 0.9;

type Budget = StaffOverview["budgets"][number];
type Limit = StaffOverview["limits"][number];

/** The use of the rate limits and quotas of sources and channels. */
export function Budgets({ overview: { budgets, limits, at } }: { overview: StaffOverview }) {
  const text = useText();
  return (
    <Part title={text("staff.budgets")}>
      <Rows empty="staff.budgets.none">
        {budgets.map((budget) => (
          <SourceBudget key={budget.source} {...budget} at={at} />
        ))}
        {limits.map((limit) => (
          <ChannelLimit key={limit.channel} {...limit} />
        ))}
      </Rows>
    </Part>
  );
}

function useShare(): (share: number) => { tone: "note" | "quiet"; state: string } {
  const { formatNumber } = useIntl();
  return (share) => ({
    tone: share >= SHORT ? "note" : "quiet",
    state: formatNumber(share, { style: "percent", maximumFractionDigits: 0 }),
  });
}

/** The name of a budget: its source, or an endpoint of that source with a rate limit of its own. */
function useBudgetName(): (source: string) => string {
  const text = useText();
  const sourceName = useSourceName();
  return (source) => {
    if (source === "logos") return text("staff.budgets.logos");
    const whose = source.replace(/-catalogue$/, "");
    return whose === source ? sourceName(source) : text("staff.budgets.catalogue", { source: sourceName(whose) });
  };
}

function SourceBudget({ source, everyMs, taken, room, nextSlotAt, at }: Budget & { at: string }) {
  const text = useText();
  const { formatNumber } = useIntl();
  const nameOf = useBudgetName();
  const shareOf = useShare();
  const span = formatNumber(everyMs / MINUTE_MS, { style: "unit", unit: "minute", unitDisplay: "long" });
  const most = formatNumber(MINUTE_MS / everyMs, { maximumFractionDigits: 1 });
  const pace = everyMs > MINUTE_MS ? text("staff.budgets.every", { span }) : text("staff.budgets.minute", { most });
  const waits = nextSlotAt > at && <Told what="staff.budgets.next" iso={nextSlotAt} />;
  return (
    <Row
      name={nameOf(source)}
      {...shareOf(taken / room)}
      facts={[text("staff.budgets.calls", { taken, room }), pace, waits]}
    />
  );
}

function ChannelLimit({ channel, acceptedToday, limit }: Limit) {
  const text = useText();
  const nameOf = useChannelName();
  const shareOf = useShare();
  const known = { icon: <ChannelIcon channel={channel} />, name: nameOf(channel) };
  const today = text("staff.budgets.today", { count: acceptedToday });
  if (limit.per === "second")
    // For a limit per second, the current use says nothing.
    return <Row {...known} facts={[today, text("staff.budgets.second", { most: limit.most })]} />;
  const { used, most, resetsAt } = limit;
  const anew = <Told what="staff.budgets.resets" iso={resetsAt} />;
  return (
    <Row {...known} {...shareOf(used / most)} facts={[text("staff.budgets.month", { used, most }), anew, today]} />
  );
}
