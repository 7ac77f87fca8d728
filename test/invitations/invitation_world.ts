import type { Event, EventOf, MailRequested } from "../../src/events/catalogue.ts";
import { type Invitation, newInvitation } from "../../src/invitations/invitation.ts";
import { createInvitations } from "../../src/invitations/mod.ts";
import type { InvitationDeps, Inviter } from "../../src/invitations/ports.ts";
import { hashToken, keysOf, newToken } from "../../src/runtime/crypto.ts";
import type { Told } from "../../src/shared/disclosure.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryOutbox } from "../memory/events/outbox.ts";
import { memoryInvitations } from "../memory/invitations/store.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { testClock } from "../support/clock.ts";
import type { TestStore } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";

const keys = keysOf("a secret of the tests, long enough to be one");

/** Scopes with and without details. */
export const DETAILS = { details: true, sensitive: false };
export const LITTLE = { details: false, sensitive: false };

/** Alice asks Bob for consent. */
export function anInvitation(more: Partial<Invitation> = {}): Invitation {
  const request = { id: Bun.randomUUIDv7(), associationId: crypto.randomUUID(), inviterId: ALICE.accountId };
  const asked = { ...request, address: BOB.address, kind: "invitation", language: "de" } as const;
  return { ...newInvitation(asked, new Date("2026-11-20T12:00:00.000Z")), ...more };
}

export type Request = EventOf<"tracking.consentRequested">;
export function aRequest(more: Partial<Request> = {}): Request {
  const asked = { associationId: crypto.randomUUID(), accountId: ALICE.accountId, address: BOB.address };
  return { type: "tracking.consentRequested", ...asked, kind: "invitation", language: "de", ...more };
}

export function memoryStore(): TestStore<Parameters<Parameters<InvitationDeps["transaction"]>[0]>[0]> {
  const database = memoryDatabase();
  return { transaction: database.transactionOf(memoryInvitations), outbox: memoryOutbox(database) };
}

/** The invitations module alone. Alice, Bob and Charlie have accounts with matching addresses. */
export function invitationWorld({ transaction, outbox } = memoryStore()) {
  const clock = testClock();
  const accounts = new Map<string, Inviter & { verified: boolean }>(
    Object.entries({ Alice: ALICE, Bob: BOB, Charlie: CHARLIE }).map(([firstName, { accountId, address }]) => [
      accountId,
      { email: address, language: "fr", firstName, lastName: "Meyer", verified: true },
    ]),
  );
  const told = new Map<string, Told[]>();
  const errors: unknown[] = [];
  const deps: InvitationDeps = {
    transaction,
    ...keys,
    newToken,
    hashToken,
    now: clock.now,
    newId: () => Bun.randomUUIDv7(),
    report: (error) => void errors.push(error),
    accounts: { of: async (accountId) => accounts.get(accountId) },
    drainFor: async () => {},
    disclosures: { of: async (address) => told.get(address) ?? [] },
    ownWatchers: { of: async () => [], ask: async () => undefined },
    ownAddress: {
      async of(accountId) {
        const account = accounts.get(accountId);
        return account?.verified ? account.email : undefined;
      },
    },
  };
  const invitations = createInvitations(deps);
  const published = () => takePublished(outbox);
  const mails = async (template?: MailRequested["template"]) =>
    (await published()).filter(
      (event): event is MailRequested =>
        event.type === "mail.requested" && (template === undefined || event.template === template),
    );
  return {
    clock,
    accounts,
    told,
    errors,
    deps,
    outbox,
    transaction,
    invitations,
    published,
    mails,
    tokenOf,
    /** Changes the account data of a user. */
    change(accountId: string, changed: Partial<Inviter & { verified: boolean }>): void {
      const account = accounts.get(accountId);
      if (account) accounts.set(accountId, { ...account, ...changed });
    },
    /** Sends the request but not its mail yet. */
    async ask(more: Partial<Request> = {}): Promise<Request> {
      const request = aRequest(more);
      await invitations.onConsentRequested(request);
      return request;
    },
    /** Sends the request and its mail, and returns the mailed token. */
    async invited(more: Partial<Request> = {}) {
      const request = aRequest(more);
      await invitations.onConsentRequested(request);
      await invitations.mailDue();
      const token = tokenOf((await mails()).at(-1));
      const stored = await transaction((store) => store.invitations.find({ associationId: request.associationId }));
      if (!stored) throw new Error("Cannot find the invitation that was asked for");
      return { ...request, token, id: stored.id };
    },
    stored: (id: string) => transaction((store) => store.invitations.find({ id })),
    actsOf: async (id: string) =>
      (await transaction(({ records }) => records.list(id))).map(({ act, by }) => `${by} ${act}`),
  };
}

/** The token, which only the recipient may read. */
export function tokenOf(mail: MailRequested | undefined): string {
  return mail?.sealed === undefined ? "" : (JSON.parse(keys.cipher.decrypt(mail.sealed)) as { token: string }).token;
}

/** The consent events. */
export function outcomes(events: Event[]) {
  return events.filter(({ type }) => type === "invitations.granted" || type === "invitations.ended");
}
