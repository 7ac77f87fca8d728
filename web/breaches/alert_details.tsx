import { Drawer, Text as Paragraph, Skeleton, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FormattedNumber } from "react-intl";
import { adviceFor } from "../../src/shared/advice.ts";
import { becameKnownLate } from "../../src/shared/breach.ts";
import type { Alert, Breach } from "../api.ts";
import { useExplain } from "../errors.tsx";
import { useText, useTopic } from "../i18n.tsx";
import { Address } from "../ui/address.tsx";
import { Day, Moment } from "../ui/dates.tsx";
import { LoadFailure } from "../ui/load_failure.tsx";
import classes from "./alert_details.module.css";
import { BreachTile, DataClasses, StateBadge } from "./alert_parts.tsx";
import { alertQuery } from "./queries.ts";
import { ToggleButton } from "./toggle_button.tsx";

type Props = { id: string | undefined; onClose: () => void };

/** Everything about one alert, beside the list; it has an address of its own (`?alert=`), which messages link to. */
export function AlertDetails({ id, onClose }: Props) {
  const text = useText();
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      padding="lg"
      title={text("alert.title")}
      closeButtonProps={{ "aria-label": text("close") }}
    >
      {id !== undefined && <Details id={id} />}
    </Drawer>
  );
}

function Details({ id }: { id: string }) {
  const text = useText();
  const explain = useExplain();
  const { data: alert, error, refetch } = useQuery(alertQuery(id));
  if (alert) return <Facts alert={alert} />;
  if (!error) return <Skeleton height={320} radius="lg" />;
  return <LoadFailure title={text("alert.load_failed")} message={explain(error)} onRetry={() => refetch()} />;
}

function Facts({ alert }: { alert: Alert }) {
  const text = useText();
  const { address, breach, state, handledAt, raisedAt } = alert;
  return (
    <Stack gap="lg">
      <div className={classes.head}>
        <BreachTile breach={breach} large />
        <div>
          <Title order={3} size="h2">
            {breach?.title ?? text("alerts.undisclosed")}
          </Title>
          {breach && (
            <Paragraph c="dimmed">
              <Address>{breach.domain}</Address>
            </Paragraph>
          )}
        </div>
      </div>
      <div className={classes.state}>
        <StateBadge state={state} />
        <ToggleButton alert={alert} />
      </div>
      <dl className={classes.facts}>
        <Fact label={text("alerts.address")} wide>
          <Address>{address}</Address>
        </Fact>
        {breach && <BreachDates breach={breach} />}
        <Fact label={text("alert.raised")}>
          <Moment iso={raisedAt} withTime />
        </Fact>
        {handledAt !== null && (
          <Fact label={text("alert.handled_at")}>
            <Moment iso={handledAt} withTime />
          </Fact>
        )}
        {breach && (
          <Fact label={text("alerts.data")} wide>
            <DataClasses labels={breach.dataClasses} shown={breach.dataClasses.length} />
          </Fact>
        )}
      </dl>
      {breach ? (
        <>
          <FlagNotes breach={breach} />
          <Advice breach={breach} />
        </>
      ) : (
        <p className={classes.note}>{text("alert.undisclosed")}</p>
      )}
    </Stack>
  );
}

function BreachDates({ breach }: { breach: Breach }) {
  const text = useText();
  return (
    <>
      <Fact label={text("alerts.breach_date")} hint={text("alert.breach_date_hint")}>
        <Day iso={breach.breachDate} />
      </Fact>
      <Fact label={text("alerts.added")} hint={text(becameKnownLate(breach) ? "alert.late" : "alert.added_hint")}>
        <Moment iso={breach.addedDate} />
      </Fact>
      <Fact label={text("alert.accounts")}>
        <FormattedNumber value={breach.pwnCount} />
      </Fact>
    </>
  );
}

type FactProps = { label: string; hint?: string; wide?: boolean; children: ReactNode };

function Fact({ label, hint, wide = false, children }: FactProps) {
  return (
    <div data-wide={wide || hint !== undefined || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
      {hint && <dd className={classes.hint}>{hint}</dd>}
    </div>
  );
}

function FlagNotes({ breach }: { breach: Breach }) {
  const flagText = useTopic("flags");
  return breach.flags.map((flag) => (
    <div key={flag} className={classes.note}>
      <strong>{flagText(`${flag}_label`, flag)}</strong>
      <p>{flagText(flag, flag)}</p>
    </div>
  ));
}

function Advice({ breach }: { breach: Breach }) {
  const text = useText();
  const adviceText = useTopic("advice");
  return (
    <section>
      <Title order={4} size="h3">
        {text("advice.title")}
      </Title>
      <ol className={classes.advice}>
        {adviceFor([breach]).map((step) => (
          <li key={step}>{adviceText(step, step)}</li>
        ))}
      </ol>
    </section>
  );
}
