import { useQueries, useQuery } from "@tanstack/react-query";
import { type Channel, contactValue } from "../../src/shared/contacts.ts";
import type { ContactState } from "../api/api.ts";
import { contactsQuery, meQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { badgeOf } from "../shared/contact_badge.ts";
import { contactAt } from "../shared/contact_name.ts";
import { Badge } from "../ui/display/badge.tsx";

type Props = { channel: Channel; contacts: string[] };

/** The first comes first where contacts of one channel differ. */
const WORST_FIRST: ContactState[] = ["broken", "unsubscribed", "unconfirmed", "active"];

/** Whether alerts really arrive by a channel: as its worst contact stands. */
export function MethodState({ channel, contacts }: Props) {
  const text = useText();
  const { data: me } = useQuery(meQuery);
  const values = contacts.flatMap((typed) => contactValue(channel, typed) ?? []);
  const pages = useQueries({ queries: values.map((value) => contactsQuery({ value })) });
  if (pages.length === 0 || pages.some(({ data }) => data === undefined)) return null;
  // Nobody has been asked yet; only the account's own address needs no asking.
  const unknown = (value: string): ContactState => (value === me?.email ? "active" : "unconfirmed");
  const states = values.map(
    (value, index) => contactAt(pages[index]?.data?.items, { channel, value })?.state ?? unknown(value),
  );
  const state = WORST_FIRST.find((one) => states.includes(one)) ?? "active";
  const { tone, label } = badgeOf({ channel, state });
  return <Badge tone={tone}>{text(label)}</Badge>;
}
