import { Button, Progress, Skeleton, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import type { AssociationPage, Subscription } from "../api.ts";
import { useText } from "../i18n.tsx";
import { pendingAlertsQuery, subscriptionQuery } from "../queries.ts";
import { Card } from "../ui/card.tsx";
import { usePlanWords } from "../ui/plan_words.ts";
import { useDrilled } from "./drill.ts";
import classes from "./summary.module.css";

/** The account at one glance: what waits, how many addresses fit, how long the trial lasts. */
export function Summary({ page, isUnknown }: { page: AssociationPage | undefined; isUnknown: boolean }) {
  const text = useText();
  const { data: subscription } = useQuery(subscriptionQuery);
  return (
    <section className={classes.summary} aria-label={text("summary.label")}>
      <AlertsFact watching={(page?.counts.all ?? 0) > 0} />
      {!isUnknown && <CapacityFact page={page} />}
      {subscription && <PlanFact subscription={subscription} />}
    </section>
  );
}

function AlertsFact({ watching }: { watching: boolean }) {
  const text = useText();
  const { lang } = useParams();
  const { data, isError } = useQuery(pendingAlertsQuery);
  const drilled = useDrilled();
  // The lists say what cannot be fetched; a glance needs no second word.
  if (!data) return isError ? null : <Skeleton height={116} radius="lg" />;
  const waiting = data.pending > 0;
  const Mark = waiting ? IconAlertTriangle : IconShieldCheck;
  const drillHint = drilled ? text(data.pending === 1 ? "summary.drill_only" : "summary.drill_too") : undefined;
  const calm = text(watching ? "summary.calm" : "summary.nothing_watched");
  return (
    <Card className={classes.alerts}>
      <span className={classes.mark} data-waiting={waiting || undefined}>
        <Mark size={26} stroke={1.75} aria-hidden="true" />
      </span>
      <div className={classes.words}>
        <Title order={2} size="h3">
          {waiting ? text("summary.waiting", { count: data.pending }) : text("summary.no_waiting")}
        </Title>
        <Text size="sm" c="dimmed">
          {waiting ? (drillHint ?? text("summary.waiting_hint")) : calm}
        </Text>
      </div>
      {waiting && (
        <Button component={Link} to={`/${lang}/alerts`} variant="light">
          {text("summary.see_alerts")}
        </Button>
      )}
    </Card>
  );
}

function CapacityFact({ page }: { page: AssociationPage | undefined }) {
  const text = useText();
  if (!page) return <Skeleton height={116} radius="lg" />;
  const { used, cap } = page.capacity;
  // Those whose owners have not answered take a place too.
  const open = used - page.counts.all;
  return (
    <Card className={classes.fact}>
      <Text size="sm" c="dimmed">
        {text("summary.capacity")}
      </Text>
      <p className={classes.figure}>
        {cap === null ? text("summary.used", { used }) : text("summary.used_of", { used, cap })}
      </p>
      {cap !== null && (
        <>
          <Progress value={cap === 0 ? 100 : Math.min(100, (used / cap) * 100)} size={6} aria-hidden="true" />
          <Text size="sm" c="dimmed">
            {text("summary.free", { free: Math.max(0, cap - used) })}
          </Text>
        </>
      )}
      {open > 0 && (
        <Text size="sm" c="dimmed">
          {text("summary.open", { count: open })}
        </Text>
      )}
    </Card>
  );
}

function PlanFact({ subscription }: { subscription: Subscription }) {
  const text = useText();
  const { held, lasts } = usePlanWords();
  const { status, plan, daysLeft } = subscription;
  if (status === "off") return null;
  const isTrial = plan === "trial";
  const left = status === "trial" && daysLeft !== null ? text("summary.days_left", { days: daysLeft }) : undefined;
  return (
    <Card className={classes.fact}>
      <Text size="sm" c="dimmed">
        {text(isTrial ? "summary.trial" : "plan.label")}
      </Text>
      <p className={classes.figure}>{isTrial ? (left ?? text("summary.trial_over")) : held(subscription)}</p>
      <Text size="sm" c="dimmed">
        {lasts(subscription)}
      </Text>
    </Card>
  );
}
