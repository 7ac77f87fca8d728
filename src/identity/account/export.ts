import { listsOf } from "../../shared/contacts.ts";
import { PRODUCT } from "../../shared/product.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { Client, IdentityDeps, IdentityStore, User } from "../ports.ts";
import type { StaffActFilter } from "../staff/staff_ports.ts";
import { auditor } from "./audit.ts";

/** Above what an account can accumulate in the log's retention of a year. */
const AUDIT_MAX = 1_000_000;

/** Stored data that is not exported, with the reason: a copy of the file could be abused. */
const LEFT_OUT = {
  password: "kept as a hash only",
  sessionTokens: "kept as hashes only",
  signInCodes: "kept as keyed hashes only, until they are used or expire",
  links: "kept as hashes only, until they are used or expire",
  apiTokens: "kept as hashes only; their names, scopes and use are given",
  authenticatorSecret: "a secret, kept encrypted",
  passkeyPublicKeys: "of no use outside this service",
  recoveryCodes: "kept as keyed hashes only; their number is given",
  secretsInMails: "kept encrypted, until the mail is sent",
  attemptCounters: "kept under keyed hashes until they expire; they name nobody",
};

/** Everything stored about one account, as one JSON document; instants in ISO 8601. */
export type DataExport = {
  product: string;
  createdAt: string;
  account: unknown;
  /** By module. */
  records: Record<string, unknown>;
  leftOut: Record<string, string>;
};

/** Staff actions on the account. */
const actsOn = (objectId: string): StaffActFilter => ({
  actorId: undefined,
  act: undefined,
  objectId,
  from: undefined,
  until: undefined,
});

/** JSON with undefined values as null. */
function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, part: unknown) => part ?? null));
}

/** Full sessions only; partial ones are part of the activity. */
async function sessionsOf({ sessions }: IdentityStore, accountId: string, now: Date) {
  const living = await sessions.list(accountId, now);
  return living.map(({ id, device, ipPrefix, confirmedAt, createdAt, lastSeenAt, expiresAt }) => ({
    id,
    device,
    ipPrefix,
    confirmedAt,
    createdAt,
    lastSeenAt,
    expiresAt,
  }));
}

async function accountOf(store: IdentityStore, user: User, now: Date) {
  const { passwordHash: _, network: __, defaultContacts, ...details } = user;
  const { emailChanges, authenticators, passkeys, recoveryCodes, providerLinks, apiTokens, audit, staffActs } = store;
  const pending = await emailChanges.find(user.id, now);
  const authenticator = await authenticators.find(user.id);
  return {
    ...details,
    defaultContacts: listsOf(defaultContacts),
    pendingEmail: pending && { email: pending.email, createdAt: pending.createdAt, expiresAt: pending.expiresAt },
    sessions: await sessionsOf(store, user.id, now),
    authenticator: authenticator && { createdAt: authenticator.createdAt, confirmedAt: authenticator.confirmedAt },
    passkeys: (await passkeys.list(user.id)).map(({ publicKey: _, ...passkey }) => passkey),
    acceptedTerms: (await store.acceptances.list(user.id)).map(({ accountId: _, ...accepted }) => accepted),
    recoveryCodesLeft: await recoveryCodes.count(user.id),
    providers: await providerLinks.list(user.id),
    apiTokens: (await apiTokens.list(user.id)).map(({ tokenHash: _, busyUntil: __, ...token }) => token),
    activity: await audit.list(user.id, new Date(0), AUDIT_MAX),
    staffActs: (await staffActs.list(actsOn(user.id), undefined, AUDIT_MAX)).map(
      ({ actorId: _, objectId: __, ...act }) => act,
    ),
  };
}

/** Export of an account's data for its owner. */
export function dataExport(deps: IdentityDeps) {
  const { transaction, records, now } = deps;
  const record = auditor(deps);

  return {
    async exportData(accountId: string, client: Client): Promise<Result<DataExport, "NOT_FOUND">> {
      // Outside the transaction: other modules open transactions of their own.
      const asked: Record<string, unknown> = {};
      for (const [name, recordsOf] of Object.entries(records)) asked[name] = jsonOf(await recordsOf(accountId));
      return transaction(async (store) => {
        const user = await store.users.find(accountId);
        if (!user) return fail("NOT_FOUND");
        await record(store, "data_exported", { accountId, client });
        const account = jsonOf(await accountOf(store, user, now()));
        return ok({ product: PRODUCT, createdAt: now().toISOString(), account, records: asked, leftOut: LEFT_OUT });
      });
    },
  };
}
