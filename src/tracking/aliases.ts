import { type AliasOrigin, MAX_ALIASES } from "../shared/aliases.ts";
import { normaliseEmail } from "../shared/email_address.ts";
import { isSameByRule } from "../shared/mailbox_key.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { type Shown, shown } from "../shared/shown.ts";
import { mailboxMark } from "../shared/stranger_mail.ts";
import { aliasesIn } from "./alias_lists.ts";
import { aliasOwners, type LinkedAlias } from "./alias_mails.ts";
import type { Alias } from "./alias_ports.ts";
import { factsOf } from "./announce.ts";
import type { Association } from "./association.ts";
import type { AliasesInput, AliasImportInput } from "./inputs.ts";
import type { TrackingDeps, TrackingStore } from "./ports.ts";

/** An alias as its account sees it. `expiresAt`: until when a pending one can be confirmed; null while its mail waits, and for active ones. */
export type AliasView = Shown<Pick<Alias, "id" | "address" | "origin" | "state" | "createdAt" | "expiresAt">>;
/** What became of a list: new aliases by state, addresses that were known, and lines without an address. */
export type AliasesAdded = { active: number; pending: number; known: number; bad: number };
type AddRefusal = "NOT_FOUND" | "ADDRESS_REQUIRED" | "TOO_MANY_ALIASES";
type ImportRefusal = AddRefusal | "ALIAS_KEY_REFUSED" | "ALIAS_SERVICE_UNAVAILABLE";

/** `proven`: those that are the person's, as the service shows that alone receives their mail. */
type FoundAliases = { addresses: string[]; bad: number; origin: Exclude<AliasOrigin, "rule">; proven: Set<string> };

/**
 * Further addresses of the person whose own, verified address is tracked: checked like it and counted with it. An alias is active
 * only with proof: a provider's rule, the answer of the service that alone receives its mail, or a confirmation by someone who
 * reads it.
 */
export function aliases(deps: TrackingDeps) {
  const { transaction, ownAddress, aliasDirectory, drainFor, newId, hashToken, mac, now } = deps;
  const { isTaken, accountBehind } = aliasOwners(deps);

  /** The account's association, if it tracks the address that the account has verified. */
  async function ownAssociation({ associations }: TrackingStore, accountId: string, id: string, own: string) {
    const found = await associations.find(accountId, id);
    return found?.consent === "own" && found.address === own ? found : undefined;
  }

  function newAlias({ id: associationId, accountId, address: own }: Association, address: string, found: FoundAliases) {
    const isByRule = isSameByRule(address, own);
    const isActive = isByRule || found.proven.has(address);
    const alias: Alias = {
      id: newId(),
      associationId,
      accountId,
      address,
      origin: isByRule ? "rule" : found.origin,
      state: isActive ? "active" : "pending",
      tokenHash: undefined,
      mailAt: isActive ? undefined : now(),
      expiresAt: undefined,
      createdAt: now(),
    };
    return alias;
  }

  /** Activates those of the pending ones that the list proves, and adds those that are new. */
  async function add(
    accountId: string,
    associationId: string,
    found: FoundAliases,
  ): Promise<Result<AliasesAdded, AddRefusal>> {
    const own = await ownAddress.of(accountId);
    if (own === undefined) return fail("NOT_FOUND");
    const proven = await untaken(accountId, found.proven);
    const done = await transaction(async (store): Promise<Result<AliasesAdded, AddRefusal>> => {
      await store.associations.lockAccount(accountId);
      const association = await ownAssociation(store, accountId, associationId, own);
      if (!association) return fail("NOT_FOUND");
      const stored = await store.aliases.list(associationId);
      const named = new Set(stored.map(({ address }) => address));
      const tracked = new Set(await store.associations.listTracked(accountId, found.addresses));
      const fresh = found.addresses.filter((address) => !named.has(address) && !tracked.has(address));
      if (stored.length + fresh.length > MAX_ALIASES) return fail("TOO_MANY_ALIASES");
      const confirmed = stored.filter(({ state, address }) => state === "pending" && proven.has(address));
      for (const alias of confirmed) await activate(store, { ...alias, origin: found.origin });
      const added = fresh.map((address) => newAlias(association, address, { ...found, proven }));
      await store.aliases.addAll(added);
      const active = added.filter(({ state }) => state === "active");
      for (const alias of active) await store.events.publish({ type: "tracking.aliasStarted", ...factsOf(alias) });
      return ok({
        active: active.length + confirmed.length,
        pending: added.length - active.length,
        known: found.addresses.length - added.length - confirmed.length,
        bad: found.bad,
      });
    });
    if (done.ok) await drainFor(associationId);
    return done;
  }

  async function untaken(accountId: string, addresses: Set<string>): Promise<Set<string>> {
    const own = new Set<string>();
    for (const address of addresses) if (!(await isTaken({ address, accountId }))) own.add(address);
    return own;
  }

  async function isOwn(accountId: string, associationId: string): Promise<boolean> {
    const own = await ownAddress.of(accountId);
    if (own === undefined) return false;
    return transaction(async (store) => (await ownAssociation(store, accountId, associationId, own)) !== undefined);
  }

  function addText(accountId: string, associationId: string, text: string) {
    const read = aliasesIn(text);
    if (read === undefined) return fail("TOO_MANY_ALIASES");
    if (read.addresses.length === 0) return fail("ADDRESS_REQUIRED");
    return add(accountId, associationId, { ...read, origin: "list", proven: new Set() });
  }

  return {
    /** The aliases of an own address, ordered by address. */
    listAliases(accountId: string, associationId: string): Promise<Result<{ items: AliasView[] }, "NOT_FOUND">> {
      return transaction(async (store) => {
        const found = await store.associations.find(accountId, associationId);
        if (found?.consent !== "own") return fail("NOT_FOUND");
        return ok({ items: (await store.aliases.list(associationId)).map(viewOf) });
      });
    },

    addAliases: (accountId: string, associationId: string, { addresses }: AliasesInput) =>
      add(accountId, associationId, { addresses: [...new Set(addresses)], bad: 0, origin: "list", proven: new Set() }),

    /** From the text of an export, or from the service itself. A service at an address that people name proves nothing. */
    async importAliases(
      accountId: string,
      associationId: string,
      input: AliasImportInput,
    ): Promise<Result<AliasesAdded, ImportRefusal>> {
      if (input.from === "text") return addText(accountId, associationId, input.text);
      if (!(await isOwn(accountId, associationId))) return fail("NOT_FOUND");
      const { from: service, key, base } = input;
      const answer = await aliasDirectory.list({ service, key, base });
      if (answer.kind === "refused") return fail("ALIAS_KEY_REFUSED");
      if (answer.kind === "tooMany") return fail("TOO_MANY_ALIASES");
      if (answer.kind === "unavailable") return fail("ALIAS_SERVICE_UNAVAILABLE");
      const read = answer.addresses.map(normaliseEmail);
      const addresses = [...new Set(read.filter((address) => address !== undefined))];
      const bad = read.filter((address) => address === undefined).length;
      const claimed = base === undefined ? answer.proven.map(normaliseEmail) : [];
      const proven = new Set(claimed.filter((address) => address !== undefined));
      return add(accountId, associationId, { addresses, bad, origin: service, proven });
    },

    /** Ends its checks, and removes what was found under it alone. */
    async removeAlias(accountId: string, associationId: string, id: string): Promise<Result<undefined, "NOT_FOUND">> {
      const removed = await transaction(async ({ associations, aliases, events }) => {
        await associations.lockAccount(accountId);
        const alias = await aliases.remove(accountId, associationId, id);
        if (alias?.state === "active") await events.publish({ type: "tracking.aliasStopped", ...factsOf(alias) });
        return alias;
      });
      if (!removed) return fail("NOT_FOUND");
      await drainFor(associationId);
      return ok();
    },

    /** What a mailed link asks. Read-only, as mail scanners open links. */
    async inspectAlias(token: string): Promise<Result<LinkedAlias, "LINK_INVALID">> {
      const alias = await transaction((store) => openAlias(store, token));
      const account = alias && (await accountBehind(alias.accountId));
      return account ? ok({ address: alias.address, account }) : fail("LINK_INVALID");
    },

    /** Whether a mailed link can still be used. */
    isAliasAwaited: (token: string): Promise<boolean> =>
      transaction(async (store) => (await openAlias(store, token)) !== undefined),

    /** By someone who reads the alias's mail. Every link that cannot be used gets the same answer. */
    async confirmAlias(token: string): Promise<Result<undefined, "LINK_INVALID">> {
      const asked = await transaction((store) => openAlias(store, token));
      if (!asked || (await isTaken(asked))) return fail("LINK_INVALID");
      const done = await transaction(async (store) => {
        await store.associations.lockAccount(asked.accountId);
        const alias = await openAlias(store, token);
        if (!alias) return false;
        await store.strangerMail.removeClaimed(mailboxMark(mac, alias.address));
        await activate(store, alias);
        return true;
      });
      if (!done) return fail("LINK_INVALID");
      await drainFor(asked.associationId);
      return ok();
    },
  };

  /** The pending alias behind a link that has not expired. */
  async function openAlias({ aliases }: TrackingStore, token: string): Promise<Alias | undefined> {
    const found = await aliases.findByToken(hashToken(token));
    const isOpen = found?.state === "pending" && found.expiresAt !== undefined && found.expiresAt > now();
    return isOpen ? found : undefined;
  }
}

async function activate({ aliases, events }: TrackingStore, alias: Alias): Promise<void> {
  const active: Alias = { ...alias, state: "active", tokenHash: undefined, mailAt: undefined, expiresAt: undefined };
  if (await aliases.save(active)) await events.publish({ type: "tracking.aliasStarted", ...factsOf(active) });
}

function viewOf({ id, address, origin, state, createdAt, expiresAt }: Alias): AliasView {
  return shown({ id, address, origin, state, createdAt, expiresAt });
}
