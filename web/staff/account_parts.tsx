import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { StaffAccount } from "../api/staff_api.ts";
import { useText } from "../app/i18n.tsx";
import { ChannelIcon } from "../shared/channel_icon.tsx";
import { DELIVERY_STATE } from "../shared/delivery_words.ts";
import { providerName } from "../shared/provider_names.ts";
import { Address } from "../ui/display/address.tsx";
import type { Tone } from "../ui/display/badge.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Ago, Moment } from "../ui/display/dates.tsx";
import { AccountBadges } from "./account_badges.tsx";
import { Facts, Part } from "./part.tsx";
import classes from "./staff.module.css";

type Props = { account: StaffAccount };

/** What staff may see of an account: no secrets and no contents of alerts. */
export function AccountParts({ account }: Props) {
  return (
    <>
      <Person account={account} />
      <PlanPart account={account} />
      <Contacts account={account} />
      <Deliveries account={account} />
      <Sessions account={account} />
    </>
  );
}

const METHODS = ["email", "authenticator", "passkey", "recovery_code"] as const;

function isMethod(name: string): name is (typeof METHODS)[number] {
  return METHODS.some((method) => method === name);
}

function Person({ account }: Props) {
  const text = useText();
  const { formatDisplayName, formatList } = useIntl();
  const { counts, methods, providers } = account;
  const ways = [
    ...methods.map((method) => (isMethod(method) ? text(`verify.by_${method}`) : method)),
    ...providers.map(providerName),
  ];
  return (
    <Part title={text("staff.user")} action={<AccountBadges account={account} />}>
      <Facts
        facts={[
          [text("staff.user.name"), <span key="name" dir="auto">{`${account.firstName} ${account.lastName}`}</span>],
          [text("staff.user.language"), formatDisplayName(account.language, { type: "language" })],
          [text("staff.user.created"), <Moment key="created" iso={account.createdAt} withTime />],
          [text("staff.user.addresses"), counts.addresses],
          [
            text("staff.user.alerts"),
            text("staff.user.alerts_of", { pending: counts.pendingAlerts, all: counts.alerts }),
          ],
          [text("staff.user.methods"), formatList(ways)],
          [text("staff.user.id"), <code key="id">{account.id}</code>],
        ]}
      />
    </Part>
  );
}

function PlanPart({ account: { plan } }: Props) {
  const text = useText();
  const { name, quantity, cap, trialEndsAt, periodEnd, granted } = plan;
  const named = name === "personal" || name === "professional" || name === "business" ? text(`plan.${name}`) : name;
  const shown = named === "trial" ? text("staff.plan.trial") : (named ?? text("staff.plan.none"));
  return (
    <Part title={text("staff.plan")}>
      <Facts
        facts={[
          [text("staff.plan.name"), named === "off" ? text("staff.plan.off") : shown],
          ...(quantity === null ? [] : [[text("staff.grant.quantity"), quantity] satisfies [string, number]]),
          [text("staff.plan.cap"), cap ?? text("staff.plan.unlimited")],
          ...(trialEndsAt === null ? [] : [fact(text("staff.plan.trial_ends"), trialEndsAt)]),
          ...(periodEnd === null ? [] : [fact(text("staff.plan.period_end"), periodEnd)]),
          ...(granted === null ? [] : [fact(text("staff.plan.granted_until"), granted.until)]),
        ]}
      />
    </Part>
  );
}

const fact = (name: string, iso: string): [string, ReactNode] => [name, <Moment key={name} iso={iso} withTime />];

const CONTACT_TONE: Record<string, Tone> = { active: "safe", broken: "alarm" };

function Contacts({ account: { contacts, contactCount } }: Props) {
  const text = useText();
  const more = contactCount - contacts.length;
  return (
    <Part title={text("staff.contacts")}>
      {contacts.length === 0 && <Text c="dimmed">{text("staff.contacts.none")}</Text>}
      <ul className={classes.rows}>
        {contacts.map(({ id, channel, value, state, lastSentAt, failure, waiting }) => (
          <li key={id} className={classes.row}>
            <ChannelIcon channel={channel} />
            <div className={classes.main}>
              <Address>{value}</Address>
              <div className={classes.small}>
                {lastSentAt !== null && (
                  <>
                    {text("staff.contacts.last")} <Ago iso={lastSentAt} />
                    {" · "}
                  </>
                )}
                {text("staff.contacts.waiting", { count: waiting })}
                {failure?.detail && ` · ${failure.detail}`}
              </div>
            </div>
            <Badge tone={CONTACT_TONE[state] ?? "note"}>{text(`contact_card.${state}`)}</Badge>
          </li>
        ))}
      </ul>
      {more > 0 && <Text c="dimmed">{text("contact_card.more", { count: more })}</Text>}
    </Part>
  );
}

function Deliveries({ account: { deliveries } }: Props) {
  const text = useText();
  return (
    <Part title={text("staff.deliveries")}>
      {deliveries.length === 0 && <Text c="dimmed">{text("staff.deliveries.none")}</Text>}
      <ul className={classes.rows}>
        {deliveries.map(({ id, channel, value, kind, state, at }) => (
          <li key={id} className={classes.row}>
            <ChannelIcon channel={channel} />
            <div className={classes.main}>
              <Address>{value}</Address> · <code>{kind}</code>
              <div className={classes.small}>
                <Moment iso={at} withTime />
              </div>
            </div>
            <Badge tone={DELIVERY_STATE[state].tone}>{text(DELIVERY_STATE[state].label)}</Badge>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Sessions({ account: { sessions } }: Props) {
  const text = useText();
  return (
    <Part title={text("staff.sessions")}>
      {sessions.length === 0 && <Text c="dimmed">{text("staff.sessions.none")}</Text>}
      <ul className={classes.rows}>
        {sessions.map(({ browser, system, ipPrefix, createdAt, lastSeenAt }) => (
          <li key={`${createdAt}${ipPrefix}${browser}`} className={classes.row}>
            <div className={classes.main}>
              {[browser, system].filter((part) => part !== null).join(" · ") || text("staff.sessions.unknown")}
              <div className={classes.small}>
                {ipPrefix} · <Ago iso={lastSeenAt} />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </Part>
  );
}
