import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Dashboard, Subscription } from "../api/api.ts";
import { subscriptionQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { usePlanWords } from "../shared/plan_words.ts";

/** The account's plan and how much of it is used. */
export function PlanLine({ tracked: { capacity, counts } }: Pick<Dashboard, "tracked">) {
  const text = useText();
  const { data } = useQuery(subscriptionQuery);
  const plan = usePlan(data);
  const { used, cap } = capacity;
  // Without a plan there is no capacity, and without a limit the headings already show the number.
  if (data?.status === "inactive" || (cap === null && plan === undefined)) return null;
  // Addresses whose owners have not answered yet count towards the capacity.
  const open = used - counts.all;
  const parts = [
    plan,
    cap === null ? text("summary.used", { used }) : text("plan_line.used", { used, cap }),
    open > 0 ? text("summary.open", { count: open }) : undefined,
  ].filter((part) => part !== undefined);
  return (
    <Text size="sm" c="dimmed">
      {parts.join(" · ")}
      {data && data.status !== "off" && (
        <>
          {" · "}
          <Anchor component={Link} to="../subscription" underline="always" inherit>
            {text("error_page.to_plans")}
          </Anchor>
        </>
      )}
    </Text>
  );
}

function usePlan(subscription: Subscription | undefined): string | undefined {
  const text = useText();
  const { held } = usePlanWords();
  if (!subscription || subscription.status === "off" || subscription.status === "inactive") return undefined;
  const { status, daysLeft } = subscription;
  return status === "trial" && daysLeft !== null ? text("plan_line.trial", { days: daysLeft }) : held(subscription);
}
