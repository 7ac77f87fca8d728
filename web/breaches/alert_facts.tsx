import { FormattedNumber } from "react-intl";
import { becameKnownLate } from "../../src/shared/breach.ts";
import type { AlertDetails, Breach } from "../api/api.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Day, Moment } from "../ui/display/dates.tsx";
import { Fact } from "../ui/display/fact.tsx";
import classes from "./alert_details.module.css";
import { FoundUnderList } from "./found_under.tsx";

/** Address, dates, and the reason and note given when the alert was handled. */
export function AlertFacts({ alert }: { alert: AlertDetails }) {
  const text = useText();
  const { address, breach, raisedAt, worsenedAt, foundUnder } = alert;
  return (
    <dl className={classes.facts}>
      <Fact label={text("alerts.address")} wide>
        <Address>{address}</Address>
      </Fact>
      {foundUnder.length > 0 && (
        <Fact label={text("alert.found_under")} wide>
          <FoundUnderList foundUnder={foundUnder} />
        </Fact>
      )}
      {breach && breach.domain !== "" && (
        <Fact label={text("alerts.service")} wide>
          <Address>{breach.domain}</Address>
        </Fact>
      )}
      {breach && <BreachDates breach={breach} />}
      <Fact label={text("alert.raised")}>
        <Moment iso={raisedAt} withTime />
      </Fact>
      {worsenedAt !== null && (
        <Fact label={text("alert.worsened")}>
          <Moment iso={worsenedAt} withTime />
        </Fact>
      )}
      <Handled alert={alert} />
    </dl>
  );
}

function Handled({ alert: { handledAt, reason, note } }: { alert: AlertDetails }) {
  const text = useText();
  const reasonText = useTopic("handling");
  return (
    <>
      {handledAt !== null && (
        <Fact label={text("alert.handled_at")}>
          <Moment iso={handledAt} withTime />
        </Fact>
      )}
      {reason !== null && <Fact label={text("alert.reason")}>{reasonText(reason, reason)}</Fact>}
      {note !== null && (
        <Fact label={text("alert.note")} wide>
          <span className={classes.written} dir="auto">
            {note}
          </span>
        </Fact>
      )}
    </>
  );
}

function BreachDates({ breach }: { breach: Breach }) {
  const text = useText();
  return (
    <>
      <Fact
        label={text("alerts.breach_date")}
        hint={<dd className={classes.hint}>{text("alert.breach_date_hint")}</dd>}
      >
        <Day iso={breach.breachDate} />
      </Fact>
      <Fact
        label={text("alerts.added")}
        hint={<dd className={classes.hint}>{text(becameKnownLate(breach) ? "alert.late" : "alert.added_hint")}</dd>}
      >
        <Moment iso={breach.addedDate} />
      </Fact>
      {breach.pwnCount > 0 && (
        <Fact label={text("alert.accounts")}>
          <FormattedNumber value={breach.pwnCount} />
        </Fact>
      )}
    </>
  );
}
