import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import type { ContactHealth } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { ChannelIcon } from "../shared/channel_icon.tsx";
import { useChannelName } from "../shared/channel_name.ts";
import { badgeOf } from "../shared/contact_badge.ts";
import { contactName, moreThanName } from "../shared/contact_name.ts";
import { TelegramLinking } from "../shared/telegram_linking.tsx";
import { TestRun } from "../shared/test_run.tsx";
import { type Linking, useLinking } from "../shared/use_linking.ts";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Card } from "../ui/display/card.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { ContactActions } from "./contact_actions.tsx";
import classes from "./contact_card.module.css";
import { ContactFacts } from "./contact_facts.tsx";
import { ContactRemedy } from "./contact_remedy.tsx";
import { todoOf } from "./contact_state.ts";
import { ContactSwitches } from "./contact_switches.tsx";

/** One contact: its state, what it needs, and its actions. */
export function ContactCard({ contact }: { contact: ContactHealth }) {
  const [tests, setTests] = useState<string[]>();
  const linking = useLinking(contact);
  return (
    <Card as="li" className={classes.card}>
      <div className={classes.top}>
        <Head contact={contact} />
        <ContactActions contact={contact} onTested={(id) => setTests([id])} />
        <ContactSwitches contact={contact} />
      </div>
      <Todo contact={contact} linking={linking} />
      {contact.channel === "telegram" && <TelegramLinking contact={contact} linking={linking} />}
      <ContactFacts contact={contact} />
      {tests && (
        <div className={classes.outcome}>
          <TestRun ids={tests} besideContacts />
        </div>
      )}
    </Card>
  );
}

function Head({ contact }: { contact: ContactHealth }) {
  const text = useText();
  const nameOf = useChannelName();
  const { channel, own, state } = contact;
  const more = moreThanName(contact);
  const { tone, label: badge } = badgeOf(contact);
  return (
    <div className={classes.head}>
      <ChannelIcon channel={channel} />
      <div className={classes.words}>
        <div className={classes.name}>
          <h2>
            <Address>{contactName(contact)}</Address>
          </h2>
          <Badge tone={tone} icon={state === "active" ? IconCircleCheck : IconAlertTriangle}>
            {text(badge)}
          </Badge>
        </div>
        <p className={classes.soft}>
          <span>{nameOf(channel)}</span>
          {more && <span className="breakable">{more}</span>}
          {own && <span>{text("contact_card.own")}</span>}
        </p>
      </div>
    </div>
  );
}

/** Why a contact receives nothing, and the remedy. */
function Todo({ contact, linking }: { contact: ContactHealth; linking: Linking }) {
  const text = useText();
  const todo = todoOf(contact);
  if (todo === undefined) return null;
  return (
    <Notice
      icon={IconAlertTriangle}
      tone={contact.state === "broken" ? "alarm" : contact.state === "unsubscribed" ? "quiet" : "note"}
      action={<ContactRemedy contact={contact} linking={linking} />}
    >
      {text(todo)}
    </Notice>
  );
}
