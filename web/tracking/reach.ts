import type { ContactHealth } from "../api.ts";

type Use = ContactHealth["usedBy"][number];

/** Which addresses nobody is told about, and how many contacts need somebody besides. */
export type Reach = { dead: Use[]; waiting: Use[]; troubled: number };

/** `dead`: all contacts of an address have failed, or one has while the others wait; `waiting`: none has answered yet. */
export function reachOf(contacts: Pick<ContactHealth, "state" | "usedBy">[]): Reach {
  const uses = new Map<string, { use: Use; states: ContactHealth["state"][] }>();
  for (const { state, usedBy } of contacts) {
    for (const use of usedBy) {
      const known = uses.get(use.associationId) ?? { use, states: [] };
      uses.set(use.associationId, { use, states: [...known.states, state] });
    }
  }
  const unreached = [...uses.values()].filter(({ states }) => !states.includes("active"));
  const isWaiting = ({ states }: { states: ContactHealth["state"][] }) => states.every((one) => one === "unconfirmed");
  return {
    dead: unreached.filter((one) => !isWaiting(one)).map(({ use }) => use),
    waiting: unreached.filter(isWaiting).map(({ use }) => use),
    troubled: contacts.filter(({ state, usedBy }) => state !== "active" && usedBy.length > 0).length,
  };
}
