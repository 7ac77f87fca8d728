import type { Breach } from "../../src/breaches/catalogue/breach.ts";
import { adobe, breachWorld } from "./breaches.ts";
import { ALICE, aBreach, BOB, CHARLIE } from "./builders.ts";
import { HOUR } from "./clock.ts";

export const shop = aBreach({ name: "Shop", dataClasses: ["Email addresses"], addedDate: "2026-01-01T00:00:00Z" });
export const graver = { ...shop, dataClasses: ["Email addresses", "Passwords"] };
const others = Array.from({ length: 20 }, (_, number) => aBreach({ name: `Other${number}` }));
/** A change record with nothing changed. */
export const NONE = {
  addedClasses: [],
  removedClasses: [],
  addedFlags: [],
  removedFlags: [],
  retired: null,
  worse: false,
};
export const UNCORRECTED = { count: null, happened: null, known: null, title: null };

/** Alice and Bob each have an alert for the shop and have received their first messages. */
export async function shopWorld(listed: Breach = shop) {
  const exposures = Object.fromEntries([ALICE, BOB, CHARLIE].map(({ address }) => [address, ["Shop"]]));
  const world = breachWorld({ breaches: [adobe, listed, ...others], exposures });
  await world.breaches.syncCatalogue();
  const alice = await world.watch(ALICE);
  const bob = await world.watch(BOB);
  await world.breaches.scanDue();
  await world.published();
  return {
    ...world,
    alice,
    bob,
    alertOf: async (associationId: string) => {
      const [alert] = await world.transaction(({ alerts }) => alerts.listByAssociation(associationId, new Date(0), 9));
      if (!alert) throw new Error("Expected an alert");
      return alert;
    },
    async handle(accountId: string) {
      const [alert] = await world.transaction(({ alerts }) =>
        alerts.list(accountId, { handledAfter: new Date(0) }, 0, 9).then((page) => page.alerts),
      );
      const why = { reason: "steps_done" as const, note: "All done." };
      const handled = await world.breaches.handleAlert(accountId, alert?.id ?? "", alert?.version ?? 0, why);
      if (!handled.ok) throw new Error(handled.code);
    },
    /** Sets the catalogue's current entry. */
    async becomes(breach: Breach) {
      world.clock.pass(HOUR);
      world.feed.publish(breach);
      return world.breaches.syncCatalogue();
    },
    changes: (name = "Shop") => world.transaction(({ changes }) => changes.listByBreaches([name])),
    told: () => world.publishedOf("breaches.alertsWorsened"),
  };
}
