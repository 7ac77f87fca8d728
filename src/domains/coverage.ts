import type { Domain } from "./domain.ts";
import type { Account, Allowance, DomainDeps } from "./ports.ts";

/** `suspended`: the plan has ended, or covers fewer domains. */
export type Coverage = "covered" | "suspended";

/** The domains that a plan covers: the oldest ones, as many as it allows. */
export function coveredIds(all: readonly Domain[], { active, domains }: Allowance): Set<string> {
  if (!active) return new Set();
  const oldestFirst = all.toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1),
  );
  return new Set(oldestFirst.slice(0, domains ?? oldestFirst.length).map(({ id }) => id));
}

export function coverageOf({ id }: Domain, covered: ReadonlySet<string>): Coverage {
  return covered.has(id) ? "covered" : "suspended";
}

/** The accounts that make these claims, by id, as far as they exist. */
export async function claimantsOf(
  accounts: DomainDeps["accounts"],
  claims: readonly Domain[],
): Promise<Map<string, Account>> {
  const found = await Promise.all(
    claims.map(async ({ accountId }) => ({ accountId, account: await accounts.of(accountId) })),
  );
  return new Map(found.flatMap(({ accountId, account }) => (account ? [[accountId, account] as const] : [])));
}
