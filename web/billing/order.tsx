import { Button, Title } from "@mantine/core";
import { IconCircleCheck, IconHourglassEmpty } from "@tabler/icons-react";
import { Link, useLoaderData } from "react-router";
import type { OrderSuccess } from "../api/billing_api.ts";
import type { Admission } from "../app/guards.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { usePlanWords } from "../shared/plan_words.ts";
import { Address } from "../ui/display/address.tsx";
import { Fact } from "../ui/display/fact.tsx";
import { useMoney } from "../ui/display/money.ts";
import classes from "./order.module.css";

/** The state of a purchase: whether it is complete, what was bought, and the next step. */
export function Order({ order, isSandbox }: { order: OrderSuccess; isSandbox: boolean }) {
  const text = useText();
  const isPaid = order.state === "paid";
  const Mark = isPaid ? IconCircleCheck : IconHourglassEmpty;
  return (
    <>
      <div className={classes.state} role="status">
        <span className={classes.mark} data-paid={isPaid || undefined}>
          <Mark size={30} stroke={1.75} aria-hidden="true" />
        </span>
        <div>
          <Title order={2}>{text(isPaid ? "order.paid" : "order.processing")}</Title>
          <p className={classes.words}>{text(isPaid ? "order.paid_text" : "order.processing_text")}</p>
          {isSandbox && <p className={classes.words}>{text("plans.sandbox")}</p>}
        </div>
      </div>
      <Facts order={order} />
      <Title order={3}>{text("order.next")}</Title>
      <NextSteps order={order} />
      <Onwards next={isPaid && order.own ? "new-track" : undefined} />
    </>
  );
}

function Facts({ order }: { order: OrderSuccess }) {
  const text = useText();
  const money = useMoney();
  const words = usePlanWords();
  const { account, period, amount, currency, cap, periodEnd, state } = order;
  return (
    <dl className={classes.facts}>
      <Fact label={text("order.account")}>
        {account.name && <span className="breakable">{account.name}</span>}
        <Address>{account.email}</Address>
      </Fact>
      <Fact label={text("order.plan")}>{words.bought(order)}</Fact>
      <Fact label={text("plans.period")}>{text(`period.${period}`)}</Fact>
      <Fact label={text("order.amount")}>{money({ amount, currency })}</Fact>
      <Fact label={text("order.cap")}>{words.capacity(cap)}</Fact>
      {state === "paid" && periodEnd !== null && <Fact label={text("order.renews")}>{words.day(periodEnd)}</Fact>}
    </dl>
  );
}

function NextSteps({ order: { state, own, cap, tracked } }: { order: OrderSuccess }) {
  const text = useText();
  const free = cap === null || tracked === null ? null : Math.max(0, cap - tracked);
  return (
    <ol className={classes.steps}>
      {state === "processing" && <li>{text("order.next_wait")}</li>}
      {!own && <li>{text("order.next_login")}</li>}
      <li>{own && free !== null ? text("order.next_track_free", { free }) : text("order.next_track")}</li>
      <li>{text("order.next_invoice")}</li>
    </ol>
  );
}

const NEXT = { "new-track": "nav.new_track", subscription: "order.to_plans" } as const satisfies Record<string, TextId>;

/** Links to the dashboard and one further page, or to the login. */
export function Onwards({ next }: { next: keyof typeof NEXT | undefined }) {
  const text = useText();
  const { level } = useLoaderData() as Admission;
  const isSignedIn = level === "authenticated";
  return (
    <div className={classes.buttons}>
      <Button component={Link} to={`../${isSignedIn ? "dashboard" : "login"}`}>
        {text(isSignedIn ? "error_page.to_dashboard" : "error_page.to_login")}
      </Button>
      {isSignedIn && next && (
        <Button component={Link} to={`../${next}`} variant="default">
          {text(NEXT[next])}
        </Button>
      )}
    </div>
  );
}
