import { useQueries, useQuery } from "@tanstack/react-query";
import { type Channel, contactValue } from "../../src/shared/contacts.ts";
import type { ContactState } from "../api/api.ts";
import { contactsQuery, meQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { badgeOf } from "../shared/contact_badge.ts";
import { contactAt } from "../shared/contact_name.ts";
import { Badge } from "../ui/display/badge.tsx";

type Props = { channel: Channel; contacts: string[] };

/** In this order, the first state represents several contacts of a channel. */
const WORST_FIRST: ContactState[] = ["broken", "unsubscribed", "unconfirmed", "active"];

/** Whether alerts arrive by a channel, judged by its worst contact. */
export function MethodState({ channel, contacts }: Props) {
  const text = useText();
  const { data: me } = useQuery(meQuery);
  const values = contacts.flatMap((typed) => contactValue(channel, typed) ?? []);
  const pages = useQueries({ queries: values.map((value) => contactsQuery({ value })) });
  if (pages.length === 0 || pages.some(({ data }) => data === undefined)) return null;
  // A new contact is unconfirmed, except for the account's own email, which needs no confirmation.
  const unknown = (value: string): ContactState => (value === me?.email ? "active" : "unconfirmed");
  const states = values.map(
    (value, index) => contactAt(pages[index]?.data?.items, { channel, value })?.state ?? unknown(value),
  );
  const state = WORST_FIRST.find((one) => states.includes(one)) ?? "active";
  const { tone, label } = badgeOf({ channel, state });
  return <Badge tone={tone}>{text(label)}</Badge>;
}
