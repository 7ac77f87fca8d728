import type { MailRequested } from "../events/catalogue.ts";
import { maskedEmail } from "../shared/masked_email.ts";
import { askerMark, mailboxMark, takeStrangerMail } from "../shared/stranger_mail.ts";
import type { Alias } from "./alias_ports.ts";
import type { AliasAsker, TrackingDeps, TrackingStore } from "./ports.ts";

/** How long an alias can be confirmed, from its mail on. */
const VALID_MS = 7 * 24 * 3_600_000;

/** What a mailed link shows: the alias, and whose account asks. */
export type LinkedAlias = { address: string; account: { name: string; email: string } };

/** Who is behind an alias, besides the account that entered it. */
export function aliasOwners({
  transaction,
  people,
  mailboxOwners,
}: Pick<TrackingDeps, "transaction" | "people" | "mailboxOwners">) {
  return {
    /** Whether the alias belongs to another account, which has verified it or tracks it with its owner's consent. */
    async isTaken({ address, accountId }: Pick<Alias, "address" | "accountId">): Promise<boolean> {
      const owner = await mailboxOwners.of(address);
      if (owner !== undefined && owner !== accountId) return true;
      const watching = await transaction(({ associations }) => associations.listWatching(address));
      return watching.some((one) => one.accountId !== accountId);
    },

    async accountBehind(accountId: string): Promise<LinkedAlias["account"] | undefined> {
      const person = await people.of(accountId);
      return person && { name: nameOf(person), email: maskedEmail(person.email) };
    },
  };
}

/** Asks at aliases whether they belong to the account that entered them, within the limits of unsolicited mail. */
export function aliasMails(deps: TrackingDeps) {
  const { transaction, people, newToken, hashToken, mac, cipher, now } = deps;
  const { isTaken } = aliasOwners(deps);

  /** False when the account's limit is reached. An alias of another account looks as if its mail had been sent. */
  async function mail(store: TrackingStore, alias: Alias, asker: AliasAsker, isTaken: boolean): Promise<boolean> {
    const at = now();
    const request = {
      mailbox: mailboxMark(mac, alias.address),
      asker: askerMark(mac, asker.email),
      network: asker.network,
      claimed: true,
    };
    const refusal = await takeStrangerMail(store.strangerMail, request, at);
    if (refusal?.by === "asker" || refusal?.by === "network") return false;
    if (refusal) return store.aliases.save({ ...alias, mailAt: refusal.freeAt });
    const token = newToken();
    const expiresAt = new Date(at.getTime() + VALID_MS);
    const tokenHash = isTaken ? undefined : hashToken(token);
    await store.aliases.save({ ...alias, tokenHash, mailAt: undefined, expiresAt });
    if (!isTaken)
      await store.events.publish(questionOf({ ...alias, expiresAt }, asker, cipher.encrypt(JSON.stringify({ token }))));
    return true;
  }

  /** The account's next mail; false when none is due or the limit is reached. */
  async function mailNext(accountId: string): Promise<boolean> {
    const asker = await people.of(accountId);
    const waiting = await transaction(({ aliases }) => aliases.findWaiting(accountId, now()));
    if (!asker || !waiting) return false;
    const taken = await isTaken(waiting);
    return transaction(async (store) => {
      await store.associations.lockAccount(accountId);
      const still = await store.aliases.findWaiting(accountId, now());
      return still?.id === waiting.id && mail(store, still, asker, taken);
    });
  }

  return {
    /** Round-robin, one mail per account and round, so that a long list delays no one else's. Returns the number of aliases. */
    async mailAliasesDue(): Promise<number> {
      let handled = 0;
      let accountIds = await transaction(({ aliases }) => aliases.listWaitingAccounts(now()));
      while (accountIds.length > 0) {
        const served: string[] = [];
        for (const accountId of accountIds) if (await mailNext(accountId)) served.push(accountId);
        handled += served.length;
        accountIds = served;
      }
      return handled;
    },

    /** Removes aliases that no one confirmed in time. Returns their number. */
    expireAliases: (): Promise<number> => transaction(({ aliases }) => aliases.removeExpired(now())),
  };
}

function nameOf({ firstName, lastName }: AliasAsker): string {
  return `${firstName} ${lastName}`;
}

function questionOf({ address, expiresAt }: Alias, asker: AliasAsker, sealed: string): MailRequested {
  return {
    type: "mail.requested",
    to: address,
    language: asker.language,
    template: "alias_confirmation",
    params: { address, accountName: nameOf(asker), accountEmail: maskedEmail(asker.email) },
    sealed,
    ...(expiresAt && { notAfter: expiresAt.toISOString() }),
  };
}
