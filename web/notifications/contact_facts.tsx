import { Anchor } from "@mantine/core";
import { FormattedNumber, useIntl } from "react-intl";
import { Link } from "react-router";
import type { ContactHealth } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Ago } from "../ui/display/dates.tsx";
import { Fact } from "../ui/display/fact.tsx";
import { nameOf } from "../ui/frame/language_picker.tsx";
import classes from "./contact_card.module.css";
import { failureOf } from "./contact_state.ts";
import { DEFAULT_HOUR, hourText, ownZone, timeText } from "./settings_values.ts";

const SHOWN = 5;

/** A contact's delivery health, its addresses and its settings. */
export function ContactFacts({ contact }: { contact: ContactHealth }) {
  const text = useText();
  const { lastSentAt, waiting, failure } = contact;
  const wishes = useWishes(contact);
  return (
    <dl className={classes.facts}>
      {wishes.length > 0 && (
        <Fact label={text("contact_card.delivery")}>
          <ul className={classes.plain}>
            {wishes.map((wish) => (
              <li key={wish}>{wish}</li>
            ))}
          </ul>
        </Fact>
      )}
      <Fact label={text("contact_card.used_by")}>
        <Uses contact={contact} />
      </Fact>
      {lastSentAt && (
        <Fact label={text("contact_card.last_sent")}>
          <Ago iso={lastSentAt} />
        </Fact>
      )}
      {waiting > 0 && (
        <Fact label={text("contact_card.waiting")}>
          <FormattedNumber value={waiting} />
        </Fact>
      )}
      {failure && (
        <Fact label={text("contact_card.last_failure")} wide>
          <div>{text(failureOf(failure.detail))}</div>
          <div className={classes.small}>
            <Ago iso={failure.at} />
            {failure.detail !== null && (
              <span className="breakable">{text("failure.said", { detail: failure.detail })}</span>
            )}
          </div>
        </Fact>
      )}
    </dl>
  );
}

/** The settings that differ from the default, which is every alert immediately in the address's language. */
function useWishes({ settings, language }: ContactHealth): string[] {
  const text = useText();
  const { locale } = useIntl();
  const { digestBelow, digestHour, quiet, discreet, emergency, zone } = settings;
  const clock = (written: string) => timeText(written, locale);
  const time = hourText(digestHour ?? DEFAULT_HOUR, locale);
  const level = digestBelow === "always" ? "critical" : digestBelow;
  return [
    ...(level === null ? [] : [text(`contact_card.digest_${level}`, { time })]),
    ...(quiet ? [text("contact_card.quiet", { from: clock(quiet.from), to: clock(quiet.to) })] : []),
    ...(zone !== null && zone !== ownZone() ? [text("contact_card.zone", { zone: zone.replaceAll("_", " ") })] : []),
    ...(emergency ? [text("contact_card.repeated")] : []),
    ...(discreet ? [text("contact_card.discreet")] : []),
    ...(language ? [nameOf(language)] : []),
  ];
}

function Uses({ contact: { usedBy, uses } }: { contact: ContactHealth }) {
  const text = useText();
  if (usedBy.length === 0) return text("contact_card.unused");
  const more = uses - Math.min(usedBy.length, SHOWN);
  return (
    <ul className={classes.uses}>
      {usedBy.slice(0, SHOWN).map(({ associationId, address }) => (
        <li key={associationId}>
          <Anchor component={Link} to={`../update-track/${associationId}`} inherit>
            <Address>{address}</Address>
          </Anchor>
        </li>
      ))}
      {more > 0 && <li>{text("contact_card.more", { count: more })}</li>}
    </ul>
  );
}
