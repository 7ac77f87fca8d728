import type { DomainDeps } from "./ports.ts";

const MOST_LOOKS = 10_000;
const KEPT_MS = 365 * 24 * 3_600_000;

/** Export and retention. */
export function records({ transaction, accounts, now }: DomainDeps) {
  return {
    /** The data that this module holds on an account, for its data export: its claims, its looks, and what was found of its own address. */
    async recordsOf(accountId: string) {
      const account = await accounts.of(accountId);
      const at = account?.verified ? account.email.lastIndexOf("@") : -1;
      return transaction(async ({ domains, looks, findings }) => {
        const [alias, domain] = [account?.email.slice(0, at) ?? "", account?.email.slice(at + 1) ?? ""];
        const mailbox = at > 0 ? await findings.findMailbox(domain, alias) : undefined;
        return {
          domains: (await domains.list(accountId)).map(
            ({ accountId: _, codeHash: __, version: ___, ...claim }) => claim,
          ),
          looks: (await looks.listByAccount(accountId, MOST_LOOKS)).map(({ accountId: _, ...look }) => look),
          ownAddress: mailbox && {
            say: mailbox.say,
            toldAt: mailbox.toldAt,
            takenAt: mailbox.takenAt,
            findings: await findings.listOf(domain, [alias]),
            looks: (await looks.list(domain, alias, MOST_LOOKS)).map(({ at: lookedAt, what }) => ({
              at: lookedAt,
              what,
            })),
          },
        };
      });
    },

    /** Removes looks after a year. */
    cleanUp: (): Promise<void> => transaction(({ looks }) => looks.removeBefore(new Date(now().getTime() - KEPT_MS))),
  };
}
