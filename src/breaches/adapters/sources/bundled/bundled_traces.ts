import type { Paste, TraceSource } from "../../../ports.ts";

type Example = { pastes: Paste[]; sites: string[] };

/** What the bundled source "finds" besides breaches: fictitious, for the example address in a stealer log. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  "hedy@example.org": {
    pastes: [
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
    ],
    sites: [
      ...["accounts.google.com", "amazon.de", "booking.com", "dropbox.com", "forum.example.net", "github.com"],
      ...["linkedin.com", "login.live.com", "paypal.com", "spotify.com", "zalando.de"],
    ],
  },
};

const exampleOf = (address: string): Example =>
  (Object.hasOwn(EXAMPLES, address) ? EXAMPLES[address] : undefined) ?? { pastes: [], sites: [] };

export const exampleSites = (address: string): readonly string[] => exampleOf(address).sites;

/** Examples of pastes and stealer logs, without a network. */
export const bundledTraces: TraceSource = {
  sendsAddress: false,
  subscription: async () => ({ kind: "subscription", subscription: undefined }),
  lastSubscription: () => undefined,
  pastesOf: async (address) => ({ kind: "found", entries: structuredClone(exampleOf(address).pastes), leftOut: 0 }),
  sitesOf: async (address) => ({ kind: "found", entries: [...exampleOf(address).sites], leftOut: 0 }),
};
