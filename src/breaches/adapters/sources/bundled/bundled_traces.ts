import type { Paste, TraceSource } from "../../../ports.ts";

/** What the bundled source "finds" besides breaches: fictitious, for the example address in a stealer log. */
const ADDRESS = "hedy@example.org";
const PASTES: Paste[] = [
  {
    source: "Pastebin",
    id: "Ex4mpLe1",
    title: "combo list",
    date: "2024-03-04T19:14:54Z",
    addresses: 139,
  },
  {
    source: "AdHocUrl",
    id: "https://paste.example.com/dump.txt",
    title: undefined,
    date: undefined,
    addresses: 30_000,
  },
];
const SITES = [
  ...["accounts.google.com", "amazon.de", "booking.com", "dropbox.com", "forum.example.net", "github.com"],
  ...["linkedin.com", "login.live.com", "paypal.com", "spotify.com", "zalando.de"],
];

export const EXAMPLE_SITES = { [ADDRESS]: SITES };

const found = <Entry>(address: string, entries: Entry[]) =>
  ({ kind: "found", entries: address === ADDRESS ? structuredClone(entries) : [], leftOut: 0 }) as const;

/** Examples of pastes and stealer logs, without a network. */
export const bundledTraces: TraceSource = {
  sendsAddress: false,
  subscription: async () => ({ kind: "subscription", subscription: undefined }),
  lastSubscription: () => undefined,
  pastesOf: async (address) => found(address, PASTES),
  sitesOf: async (address) => found(address, SITES),
};
