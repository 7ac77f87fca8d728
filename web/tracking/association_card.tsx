import { Anchor, Checkbox, Text } from "@mantine/core";
import { IconBellRinging, IconFlame, IconMailExclamation } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import type { Association, Contact } from "../api.ts";
import { useText } from "../i18n.tsx";
import { Address } from "../ui/address.tsx";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { contactName } from "../ui/contact_name.ts";
import { Ago } from "../ui/dates.tsx";
import { nameOf } from "../ui/language_picker.tsx";
import { useScopeText } from "../ui/scope_choice.tsx";
import { STATUS } from "../ui/status.ts";
import { AssociationActions } from "./association_actions.tsx";
import classes from "./association_card.module.css";
import { contactNotice } from "./contact_notice.ts";
import { useDrilled } from "./drill.ts";

type Props = { association: Association; isSelected: boolean; onSelect: (isSelected: boolean) => void };

/** One tracked address: how it stands, when it is checked, where its alerts go, and what can be done with it. */
export function AssociationCard({ association, isSelected, onSelect }: Props) {
  const text = useText();
  const drilled = useDrilled();
  const { address, status } = association;
  const { tone, icon, label } = STATUS[status];
  return (
    <Card as="li" className={classes.card}>
      <div className={classes.head}>
        <Checkbox
          aria-label={text("selection.one", { address })}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
        />
        <div className={classes.name}>
          <h3 className={classes.address}>
            <Address>{address}</Address>
          </h3>
          <Badge tone={tone} icon={icon}>
            {text(label)}
          </Badge>
          {drilled === association.id && (
            <Badge tone="note" icon={IconFlame}>
              {text("alert.is_drill")}
            </Badge>
          )}
        </div>
        <AssociationActions association={association} onRemoved={() => onSelect(false)} />
      </div>
      <Meaning association={association} />
      <Facts association={association} />
    </Card>
  );
}

/** The status in a sentence; where nothing is checked, why. */
function Meaning({ association: { status, paused, suspended } }: { association: Association }) {
  const text = useText();
  const reason = suspended ? "association.suspended" : "association.paused";
  return (
    <Text size="sm" c="dimmed">
      {text(status === "inactive" && (paused || suspended) ? reason : STATUS[status].meaning)}
    </Text>
  );
}

function Facts({ association }: { association: Association }) {
  const text = useText();
  const scopeText = useScopeText();
  const { checkedAt, nextCheckAt, language, consent, scope } = association;
  return (
    <dl className={classes.facts}>
      <Fact label={text("association.last_check")}>
        {checkedAt ? <Ago iso={checkedAt} /> : text("association.never")}
      </Fact>
      <Fact label={text("association.next_check")}>
        {nextCheckAt ? <Ago iso={nextCheckAt} /> : text("association.none")}
      </Fact>
      <Fact label={text("association.pending")}>
        <PendingAlerts association={association} />
      </Fact>
      <Fact label={text("association.language")}>{nameOf(language)}</Fact>
      {consent === "granted" && <Fact label={text("association.scope")}>{scopeText(scope)}</Fact>}
      <Fact label={text("association.contacts")} wide>
        <ul className={classes.contacts}>
          {association.contacts.map((contact) => (
            <ContactLine key={`${contact.channel} ${contact.value}`} contact={contact} />
          ))}
        </ul>
      </Fact>
    </dl>
  );
}

function Fact({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={wide || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PendingAlerts({ association: { address, pendingAlerts } }: { association: Association }) {
  const text = useText();
  const { lang } = useParams();
  if (pendingAlerts === 0) return text("association.no_alerts");
  return (
    <Anchor
      component={Link}
      to={`/${lang}/alerts?search=${encodeURIComponent(address)}`}
      className={classes.alerts}
      fw={600}
      inherit
    >
      <IconBellRinging size={17} aria-hidden="true" />
      {text("association.alerts", { count: pendingAlerts })}
    </Anchor>
  );
}

function ContactLine({ contact }: { contact: Contact }) {
  const text = useText();
  const notice = contactNotice(contact);
  return (
    <li>
      <Address>{contactName(contact)}</Address>
      {notice && (
        <Badge tone={contact.state === "broken" ? "alarm" : "note"} icon={IconMailExclamation}>
          {text(notice)}
        </Badge>
      )}
    </li>
  );
}
