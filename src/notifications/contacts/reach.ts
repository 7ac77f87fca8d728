import type { ContactState } from "../ports.ts";

type Use = { associationId: string; address: string };
/** An account's addresses whose alerts reach no contact: the first few of each kind, and their number. */
export type Reach = {
  dead: Use[];
  deadCount: number;
  unanswered: Use[];
  unansweredCount: number;
  troubled: number;
  /** The account's own address, where alerts go that reach no contact, is unsubscribed. */
  ownStopped: boolean;
};

const NAMED = 5;

/**
 * `dead`: all contacts of an address have failed, or some have while the others await confirmation; `unanswered`: all await
 * confirmation.
 */
export function reachOf(contacts: { state: ContactState; own: boolean; usedBy: Use[] }[]): Reach {
  const uses = new Map<string, { use: Use; states: ContactState[] }>();
  for (const { state, usedBy } of contacts)
    for (const use of usedBy) {
      const known = uses.get(use.associationId);
      if (known) known.states.push(state);
      else uses.set(use.associationId, { use, states: [state] });
    }
  const unreached = [...uses.values()].filter(({ states }) => !states.includes("active"));
  const [unanswered, dead] = [true, false].map((isUnanswered) =>
    unreached
      .filter(({ states }) => states.every((one) => one === "unconfirmed") === isUnanswered)
      .map(({ use: { associationId, address } }) => ({ associationId, address })),
  ) as [Use[], Use[]];
  return {
    dead: dead.slice(0, NAMED),
    deadCount: dead.length,
    unanswered: unanswered.slice(0, NAMED),
    unansweredCount: unanswered.length,
    troubled: contacts.filter(({ state, usedBy }) => state !== "active" && usedBy.length > 0).length,
    ownStopped: contacts.some(({ state, own }) => own && state === "unsubscribed"),
  };
}
