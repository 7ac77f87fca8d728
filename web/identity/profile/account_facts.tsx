import { Anchor, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { CHANNELS, type ContactAddress, isConnected } from "../../../src/shared/contacts.ts";
import type { Profile, Subscription } from "../../api/api.ts";
import { contactsQuery, profileQuery, subscriptionQuery } from "../../api/queries.ts";
import { useText } from "../../app/i18n.tsx";
import { useChannelName } from "../../shared/channel_name.ts";
import { contactAt, contactName } from "../../shared/contact_name.ts";
import { usePlanWords } from "../../shared/plan_words.ts";
import { Address } from "../../ui/display/address.tsx";
import { Card } from "../../ui/display/card.tsx";
import { Moment } from "../../ui/display/dates.tsx";
import { Fact } from "../../ui/display/fact.tsx";
import { Fetched } from "../../ui/display/fetched.tsx";
import { nameOf } from "../../ui/frame/language_picker.tsx";
import { PendingEmail } from "./pending_email.tsx";
import classes from "./profile.module.css";

/** A summary of the account. */
export function AccountFacts() {
  const text = useText();
  const query = useQuery(profileQuery);
  return (
    <section aria-labelledby="account" className={classes.account}>
      <Card>
        <Title order={2} id="account" mb="md">
          {text("profile.account")}
        </Title>
        <Fetched query={query} failureTitle={text("profile.load_failed")} height={420}>
          {(profile) => <Facts profile={profile} />}
        </Fetched>
      </Card>
    </section>
  );
}

function Facts({ profile }: { profile: Profile }) {
  const text = useText();
  const { data: subscription } = useQuery(subscriptionQuery);
  const { firstName, lastName, email, language, companyName, createdAt, pendingEmail } = profile;
  return (
    <dl className={classes.facts}>
      <Fact label={text("profile.name")}>
        <span className="breakable" dir="auto">
          {firstName} {lastName}
        </span>
      </Fact>
      <Fact label={text("field.email")}>
        <Address>{email}</Address>
        {pendingEmail && <PendingEmail pending={pendingEmail} />}
      </Fact>
      <Fact label={text("field.language")}>{nameOf(language)}</Fact>
      <Fact label={text("field.company")}>
        {companyName === null ? (
          text("profile.none")
        ) : (
          <span className="breakable" dir="auto">
            {companyName}
          </span>
        )}
      </Fact>
      <Fact label={text("profile.member_since")}>
        <Moment iso={createdAt} />
      </Fact>
      {subscription && subscription.plan !== "off" && (
        <Fact label={text("profile.plan")}>
          <Plan subscription={subscription} />
        </Fact>
      )}
      <Fact label={text("profile.contacts")}>
        <DefaultContacts profile={profile} />
        <ManageContacts />
      </Fact>
    </dl>
  );
}

function Plan({ subscription }: { subscription: Subscription }) {
  const text = useText();
  const { held, lasts } = usePlanWords();
  const { status, daysLeft } = subscription;
  return (
    <>
      {held(subscription)}
      {status === "trial" && daysLeft !== null && ` · ${text("summary.days_left", { days: daysLeft })}`}
      <div className={classes.aside}>{lasts(subscription)}</div>
    </>
  );
}

function ManageContacts() {
  const text = useText();
  return (
    <Anchor component={Link} to="../contacts" display="inline-block" mt={6} fw={600}>
      {text("profile.contacts_manage")}
    </Anchor>
  );
}

function DefaultContacts({ profile: { defaultContacts } }: { profile: Profile }) {
  const text = useText();
  const nameOf = useChannelName();
  const used = CHANNELS.filter((channel) => defaultContacts[channel].length > 0);
  if (used.length === 0) return text("profile.contacts_none");
  return (
    <ul className={classes.plain}>
      {used.map((channel) => (
        <li key={channel}>
          <span className={classes.aside}>{nameOf(channel)}</span>
          <ul className={classes.plain}>
            {defaultContacts[channel].map((value) => (
              <li key={value}>
                <ContactName channel={channel} value={value} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** What is connected has the name that it was given, which only the list of contacts knows. */
function ContactName({ channel, value }: ContactAddress) {
  const { data } = useQuery({ ...contactsQuery({ value }), enabled: isConnected(channel) });
  const label = contactAt(data?.items, { channel, value })?.label ?? null;
  return <Address>{contactName({ channel, value, label })}</Address>;
}
