import type { Adapters } from "../adapter_types.ts";
import {
  type BundledCatalogue,
  bundledCatalogue,
  bundledFeed,
  listedAt,
} from "../breaches/adapters/sources/bundled/bundled.ts";
import type { Breach } from "../breaches/catalogue/breach.ts";
import type { BreachFeed } from "../breaches/ports.ts";
import { compose } from "../compose.ts";
import type { Config } from "../config/config.ts";
import type { Message } from "../notifications/ports.ts";
import { ok } from "../shared/result.ts";
import { chanceOf } from "./seed_people.ts";

/** The code of each sign-in: what is mailed goes nowhere. */
export const CODE = "123456";
/** How often an invented address is in a breach: on average in a dozen of the bundled ones. */
const IN_A_BREACH = 0.013;
const IN_NONE = 0.2;

/** What the bundled source has published at a time; it finds every address in some of it, the same breaches each time. */
function seededFeed(catalogue: BundledCatalogue, clock: { at: Date }): BreachFeed {
  let known: { published: string; breaches: Breach[]; names: Set<string> } | undefined;
  function listed() {
    const published = clock.at.toISOString();
    if (known?.published !== published) {
      const breaches = listedAt(catalogue, published);
      known = { published, breaches, names: new Set(breaches.map(({ name }) => name)) };
    }
    return known;
  }
  return {
    ...bundledFeed({ stateFile: "" }),
    async latest() {
      const newest = listed().breaches.toSorted((one, other) => (one.addedDate < other.addedDate ? 1 : -1))[0];
      if (!newest) return { kind: "later", afterMs: 1000, reason: "Nothing is published yet" };
      return { kind: "latest", name: newest.name, addedDate: newest.addedDate };
    },
    catalogue: async () => ({ kind: "catalogue", breaches: listed().breaches, leftOut: [] }),
    breach: async (name) => ({ kind: "breach", breach: listed().breaches.find((breach) => breach.name === name) }),
    async lookUp(address) {
      if (chanceOf(address) < IN_NONE) return { kind: "found", breaches: [] };
      const names = [...listed().names].filter((name) => chanceOf(address, name) < IN_A_BREACH);
      return { kind: "found", breaches: names };
    },
  };
}

/**
 * The product on the configured database, with a clock that is set, one password hash for everybody, and channels that accept
 * every message and send none.
 */
export async function seedWorld(adapters: Adapters, config: Config, start: Date) {
  const clock = { at: start };
  const catalogue = await bundledCatalogue();
  const hashes = new Map<string, Awaited<ReturnType<typeof adapters.gateways.passwords.hash>>>();
  const passwords: Adapters["gateways"]["passwords"] = {
    ...adapters.gateways.passwords,
    async hash(password) {
      const known = hashes.get(password) ?? (await adapters.gateways.passwords.hash(password));
      hashes.set(password, known);
      return known;
    },
    verify: async (password) => ok({ matches: hashes.has(password), outdated: false }),
  };
  const real = adapters.system.now;
  const accept = async (_: Message) => ({ kind: "delivered" }) as const;
  const product = compose(
    {
      ...adapters,
      // Events are due by the database's clock.
      outbox: {
        ...adapters.outbox,
        claim: (limit, _, leaseMs, wanted) => adapters.outbox.claim(limit, real(), leaseMs, wanted),
      },
      gateways: {
        ...adapters.gateways,
        feeds: [seededFeed(catalogue, clock)],
        passwords,
        breachedPasswords: undefined,
        logos: undefined,
        telegramBot: undefined,
        senders: { email: { channel: "email", send: accept } },
      },
      system: { ...adapters.system, now: () => clock.at, newCode: () => CODE, sleep: async () => {} },
    },
    config,
  );
  return { product, clock, breaches: catalogue.breaches };
}
