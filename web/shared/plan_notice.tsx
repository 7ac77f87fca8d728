import { Button } from "@mantine/core";
import { IconCalendarOff, IconCreditCardOff, IconHourglassEmpty, IconPlayerPause } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Subscription } from "../api/api.ts";
import { subscriptionQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { usePlanWords } from "./plan_words.ts";
import { PortalButton } from "./portal_button.tsx";

const DAY_MS = 24 * 3_600_000;
/** The notice appears this many days before a plan or trial ends, like the mails. */
const SOON_DAYS = 7;

/** What the account's plan needs from the user now; nothing otherwise. */
export function PlanNotice() {
  const { data } = useQuery(subscriptionQuery);
  return data ? <Needed subscription={data} /> : null;
}

function Needed({ subscription }: { subscription: Subscription }) {
  const text = useText();
  const { day } = usePlanWords();
  const { status, unpaid, daysLeft, periodEnd, cancelAtPeriodEnd, graceUntil } = subscription;
  if (status === "grace" && graceUntil !== null)
    return (
      <Notice icon={IconCreditCardOff} tone="alarm" action={<Settle />}>
        {text("notice.grace", { date: day(graceUntil) })}
      </Notice>
    );
  if (status === "inactive" && unpaid)
    return (
      <Notice icon={IconCreditCardOff} tone="alarm" action={<Settle />}>
        {text("notice.unpaid")}
      </Notice>
    );
  if (status === "inactive")
    return (
      <Notice icon={IconPlayerPause} tone="alarm" action={<Choose />}>
        {text("notice.inactive")}
      </Notice>
    );
  if (status === "trial" && daysLeft !== null && daysLeft <= SOON_DAYS)
    return (
      <Notice icon={IconHourglassEmpty} tone="note" action={<Choose />}>
        {text("notice.trial", { days: daysLeft })}
      </Notice>
    );
  if (cancelAtPeriodEnd && periodEnd !== null && Date.parse(periodEnd) - Date.now() <= SOON_DAYS * DAY_MS)
    return (
      <Notice icon={IconCalendarOff} tone="note" action={<PortalButton size="sm">{text("portal.open")}</PortalButton>}>
        {text("notice.ending", { date: day(periodEnd) })}
      </Notice>
    );
  return null;
}

function Settle() {
  const text = useText();
  return <PortalButton size="sm">{text("portal.settle")}</PortalButton>;
}

function Choose() {
  const text = useText();
  return (
    <Button component={Link} to="../subscription" size="sm" variant="default">
      {text("notice.choose")}
    </Button>
  );
}
