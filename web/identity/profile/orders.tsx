import { Button, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Subscription } from "../../api/api.ts";
import type { Order } from "../../api/billing_api.ts";
import { subscriptionQuery } from "../../api/queries.ts";
import { useText } from "../../app/i18n.tsx";
import { PlanState } from "../../shared/plan_state.tsx";
import { usePlanWords } from "../../shared/plan_words.ts";
import { PortalButton } from "../../shared/portal_button.tsx";
import { Badge, type Tone } from "../../ui/display/badge.tsx";
import { Moment } from "../../ui/display/dates.tsx";
import { Fact } from "../../ui/display/fact.tsx";
import { Fetched } from "../../ui/display/fetched.tsx";
import { useMoney } from "../../ui/display/money.ts";
import { InvoiceButton } from "./invoice_button.tsx";
import classes from "./profile.module.css";
import lists from "./profile_lists.module.css";
import { ordersQuery } from "./profile_queries.ts";
import { ProfileSection } from "./profile_section.tsx";

/** The account's plan and payments; nothing on an installation without billing. */
export function Orders() {
  const text = useText();
  const { data: held } = useQuery(subscriptionQuery);
  const query = useQuery({ ...ordersQuery, enabled: held !== undefined && held.status !== "off" });
  if (held === undefined || held.status === "off") return null;
  return (
    <ProfileSection
      id="plan"
      title={text("orders.title")}
      action={
        <div className={classes.buttons}>
          <Button component={Link} to="../subscription" variant="default">
            {text(held.canChange ? "orders.change" : "notice.choose")}
          </Button>
          {held.canPortal && <PortalButton>{text(held.unpaid ? "portal.settle" : "portal.open")}</PortalButton>}
        </div>
      }
    >
      <PlanFacts held={held} />
      <div className={classes.part}>
        <Title order={3}>{text("orders.list")}</Title>
        <Fetched query={query} failureTitle={text("orders.failed")} height={80}>
          {({ items }) => <OrderList orders={items} />}
        </Fetched>
      </div>
    </ProfileSection>
  );
}

function PlanFacts({ held }: { held: Subscription }) {
  const text = useText();
  const words = usePlanWords();
  const { period, currency, cap, tracked } = held;
  const lasts = words.lasts(held);
  const facts = [
    [text("orders.plan"), words.held(held)],
    [text("orders.status"), <PlanState key="state" subscription={held} />],
    period !== null && [text("plans.period"), text(`period.${period}`)],
    currency !== null && [text("plans.currency"), currency],
    [text("orders.tracked"), cap === null ? tracked : text("summary.used_of", { used: tracked, cap })],
    lasts !== undefined && [text("orders.expiry"), lasts],
  ].filter((fact) => Array.isArray(fact));
  return (
    <dl className={`${classes.facts} ${classes.planFacts}`}>
      {facts.map(([label, value]) => (
        <Fact key={String(label)} label={label}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

function OrderList({ orders }: { orders: Order[] }) {
  const text = useText();
  if (orders.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {text("orders.empty")}
      </Text>
    );
  return (
    <ul className={lists.entries}>
      {orders.map((order) => (
        <Entry key={order.id} order={order} />
      ))}
    </ul>
  );
}

const TONES: Record<Order["state"], Tone> = { paid: "safe", open: "alarm", refunded: "quiet", void: "quiet" };

function Entry({ order }: { order: Order }) {
  const text = useText();
  const money = useMoney();
  const { bought } = usePlanWords();
  const { at, number, plan, quantity, period, amount, currency, refunded, state } = order;
  const facts = [plan && bought({ plan, quantity }), period && text(`period.${period}`), number].filter(Boolean);
  return (
    <li className={lists.entry}>
      <div className={lists.entryWords}>
        <p className={lists.name}>
          {money({ amount, currency })} <Badge tone={TONES[state]}>{text(`orders.state_${state}`)}</Badge>
        </p>
        <Text size="sm" c="dimmed" className="breakable">
          <Moment iso={at} />
          {facts.map((fact) => ` · ${fact}`)}
        </Text>
        {refunded > 0 && state !== "refunded" && (
          <Text size="sm" c="dimmed">
            {text("orders.refunded", { amount: money({ amount: refunded, currency }) })}
          </Text>
        )}
      </div>
      <InvoiceButton order={order} />
    </li>
  );
}
