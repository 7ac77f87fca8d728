import type { Adapters } from "../../src/adapter_types.ts";
import { postgresBilling } from "../../src/billing/adapters/postgres/store.ts";
import { sandboxActs } from "../../src/billing/adapters/sandbox/sandbox_acts.ts";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { postgresDomains } from "../../src/domains/adapters/postgres/store.ts";
import { postgresOutbox } from "../../src/events/adapters/postgres/outbox.ts";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import { postgresInvitations } from "../../src/invitations/adapters/postgres/store.ts";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import { postgresOperations } from "../../src/operations/adapters/postgres/store.ts";
import { postgresSupport } from "../../src/support/adapters/postgres/store.ts";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import { aBreach } from "./builders.ts";
import { adaptersOn, composed, memoryGround, settle, signedUp } from "./world.ts";

export const MARK = "zqmarker";
export const PASSWORD = "Tranquil-Harbour-42";
const EMAIL = `${MARK}@example.com`;

/** The whole product on a real database, with a single breach in the catalogue, and its log as text. */
export async function worldOnDatabase(database: PostgresDatabase) {
  const ground = memoryGround();
  const log: string[] = [];
  const memory = adaptersOn(ground);
  const plain = database.transactionOf((tx: Database) => tx);
  let aheadMs = 0;
  const adapters: Adapters = {
    ...memory,
    transactions: {
      identity: database.transactionOf(postgresIdentity),
      tracking: database.transactionOf(postgresTracking),
      invitations: database.transactionOf(postgresInvitations),
      breaches: database.transactionOf(postgresBreaches),
      billing: database.transactionOf(postgresBilling),
      notifications: database.transactionOf(postgresNotifications),
      support: database.transactionOf(postgresSupport),
      operations: database.transactionOf(postgresOperations),
      domains: database.transactionOf(postgresDomains),
    },
    outbox: postgresOutbox(plain),
    system: {
      ...memory.system,
      now: () => new Date(database.now().getTime() + aheadMs),
      report: (error, context) => void log.push(`${error} ${JSON.stringify(context)}`),
    },
  };
  ground.feed.publish(aBreach());
  ground.feed.expose(EMAIL, "Adobe");
  const world = composed(adapters);
  await world.breaches.pollCatalogue();
  const passTime = (ms: number) => {
    aheadMs += ms;
  };
  return { ...world, ground, adapters, plain, log, passTime };
}
type World = Awaited<ReturnType<typeof worldOnDatabase>>;

/** An account with a recognisable marker in every field an account can fill, and a client with its session. */
export async function markedAccount(world: World) {
  const { ground, adapters } = world;
  const call = await signedUp(world, EMAIL);
  const account = await adapters.transactions.identity(({ users }) => users.findByEmail(EMAIL));
  const accountId = account?.id ?? "";
  const names = { firstName: `${MARK} Ada`, lastName: MARK, companyName: `${MARK} AG`, language: "en" };
  const lists = { email: [`${MARK}-team@example.net`], telegram: [`${MARK}_tg`], pushover: [MARK.padEnd(30, "0")] };
  await call("PUT", "/api/profile", { ...names, defaultContacts: lists });

  ground.sender.answer({ kind: "retry", scope: "contact", reason: `451 <${EMAIL}> is greylisted` });
  const contacts = { email: [EMAIL, `${MARK}-friend@example.net`], telegram: [`${MARK}_tg`] };
  await call("POST", "/api/associations", { address: EMAIL, owner: true, language: "en", contacts });
  await settle(world);
  await leaveAlias(world, call);
  await leaveNote(call);
  await leaveContactDetails(world, accountId);
  await call("POST", "/api/bell/seen", { until: "2026-11-20T12:00:00.000Z" });
  await call("PUT", "/api/profile/summary", { every: "month" });
  await leaveLateChecks(world, accountId);
  await leaveTraces(world, call);
  await leaveLetter(call);
  await leaveFactors(world, accountId);
  await leavePayment(world, call);
  await leaveTicket(world, call);
  const gift = { plan: "personal", quantity: 1, days: 30, reason: `${MARK} reason` } as const;
  await world.billing.grantPlan(accountId, gift, { by: "command_line" });
  await leaveConsents(world, call);
  await leaveDomain(world, call);
  await call("POST", "/api/profile/email", { email: `${MARK}-new@example.com` });
  await settle(world);
  return { call, accountId };
}

type Call = Awaited<ReturnType<typeof signedUp>>;

/** A finding that was handled with a note, and a fire drill in progress. */
async function leaveNote(call: Call): Promise<void> {
  const { items } = (await (await call("GET", "/api/alerts")).json()) as { items: { id: string; version: number }[] };
  const [alert] = items;
  await call("POST", `/api/alerts/${alert?.id}/handle`, {
    version: alert?.version,
    reason: "other",
    note: `${MARK} note`,
  });
  const list = (await (await call("GET", "/api/associations")).json()) as { items: { id: string }[] };
  const drill = await call("POST", "/api/fire-drill", { associationId: list.items[0]?.id });
  if (drill.status !== 201) throw new Error(`Cannot start a drill: ${await drill.text()}`);
}

/** Contact data that only the other channels have. */
function leaveContactDetails({ adapters }: World, accountId: string): Promise<void> {
  const { now, newId } = adapters.system;
  return adapters.transactions.notifications(async ({ contacts, telegram }) => {
    for (const contact of await contacts.list(accountId)) {
      if (contact.channel !== "telegram") continue;
      const details = { label: `${MARK} label`, chatId: `${MARK}-chat`, settings: { device: `${MARK}-device` } };
      await contacts.replace({ ...contact, ...details });
      const candidate = { id: "7", username: `${MARK}_eve`, name: `${MARK} Eve`, languageCode: "en" };
      const expiresAt = new Date(now().getTime() + 60_000);
      const link = { contactId: contact.id, accountId, tokenHash: newId(), expiresAt, usedAt: undefined, candidate };
      await telegram.putLink(link);
    }
  });
}

/** An account whose checks are late. */
function leaveLateChecks({ adapters }: World, accountId: string): Promise<void> {
  const at = adapters.system.now();
  return adapters.transactions.breaches(async ({ stale }) => {
    const overdue = { accountId, addresses: 1, since: at };
    await stale.see([overdue], at);
    await stale.tell(overdue, at);
  });
}

/** Pastes and a stealer log, of which one site is done. */
async function leaveTraces({ ground }: World, call: Call): Promise<void> {
  const paste = { source: "Pastebin", id: `${MARK}-paste`, title: `${MARK} dump`, date: undefined, addresses: 2 };
  const site = `${MARK}.example`;
  ground.feed.traces.leave(EMAIL, { pastes: [paste], sites: [site] });
  const asked = await call("POST", "/api/monitoring/traces", { address: EMAIL });
  const ticked = await call("PUT", "/api/monitoring/traces/sites", { address: EMAIL, site, done: true });
  if (!asked.ok || !ticked.ok) throw new Error(`Cannot leave traces: ${await asked.text()}`);
}

/** A letter to a company whose deadline has passed. */
async function leaveLetter(call: Call): Promise<void> {
  const { items } = (await (await call("GET", "/api/alerts?state=all")).json()) as { items: { id: string }[] };
  const letter = { company: `${MARK} AG`, asks: ["access"], country: "CH", language: "de", sentOn: "2026-10-01" };
  const sent = await call("POST", `/api/alerts/${items[0]?.id}/letters`, letter);
  if (!sent.ok) throw new Error(`Cannot leave a letter: ${await sent.text()}`);
}

/** An alias whose mail was sent, and one that is checked; the breach was found under it, too. */
async function leaveAlias(world: World, call: Call): Promise<void> {
  const { ground } = world;
  const list = (await (await call("GET", "/api/associations")).json()) as { items: { id: string }[] };
  const path = `/api/associations/${list.items[0]?.id}/aliases`;
  const asked = await call("POST", path, { addresses: [`${MARK}-asked@alias.example`] });
  const active = `${MARK}-active@alias.example`;
  ground.aliasDirectory.answer = { kind: "list", addresses: [active], proven: [active] };
  ground.feed.expose(active, "Adobe");
  const listed = await call("POST", `${path}/import`, { from: "addy", key: "a-key" });
  if (!asked.ok || !listed.ok) throw new Error(`Cannot leave an alias: ${await asked.text()} ${await listed.text()}`);
  await settle(world);
}

/** A paid plan. */
async function leavePayment({ ground, billing }: World, call: Awaited<ReturnType<typeof signedUp>>): Promise<void> {
  const choice = { plan: "professional", period: "monthly", currency: "CHF", quantity: 1, click: `${MARK}-click` };
  const { url } = (await (await call("POST", "/api/checkout", choice)).json()) as { url: string };
  const event = sandboxActs(ground.sandbox).pay(url.split("/").at(-1) ?? "");
  if (!event) throw new Error("Cannot pay: the page is not open");
  await billing.takePaymentEvent(event.body, event.signature);
}

/** A domain of which one person was told, with the administrator's look at their address. */
async function leaveDomain(world: World, call: Call): Promise<void> {
  const { ground, domains } = world;
  const name = `${MARK}.example`;
  const added = await call("POST", "/api/domains", { name, proof: "dns" });
  const { id } = (await added.json()) as { id: string };
  const { record } = (await (await call("GET", `/api/domains/${id}`)).json()) as { record: { value: string } };
  ground.proofs.published.set(`dns ${name}`, record.value);
  await call("POST", `/api/domains/${id}/check`, {});
  ground.feed.domains.verified.add(name);
  ground.feed.domains.breaches.set(`${MARK}-person@${name}`, ["Adobe"]);
  await domains.askSources();
  await domains.tellPeople();
  // Counts what is shown now.
  await domains.tellPeople();
  const shown = await call("POST", `/api/domains/${id}/addresses/show`, { alias: `${MARK}-person` });
  if (!shown.ok) throw new Error(`Cannot leave a domain: ${await shown.text()}`);
}

/** A ticket that was answered and followed up. */
async function leaveTicket(world: World, call: Awaited<ReturnType<typeof signedUp>>): Promise<void> {
  const written = { firstName: MARK, lastName: MARK, email: `${MARK}-desk@example.net`, company: `${MARK} AG` };
  const asked = { type: "technical", priority: "high", subject: `${MARK} subject`, description: `${MARK} description` };
  const body = { ...written, ...asked, privacy: true, key: crypto.randomUUID() };
  const sent = (await (await call("POST", "/api/support/tickets", body)).json()) as { reference: string };
  const post = () => ({ text: `${MARK} post`, key: crypto.randomUUID() });
  await world.support.answerTicket({ by: "command_line" }, sent.reference, post());
  await call("POST", `/api/support/tickets/${sent.reference}/messages`, post());
  await call("POST", `/api/support/tickets/${sent.reference}/close`, {});
}

/** One address whose owner has consented, one that has not answered, and one whose owner has blocked requests. */
async function leaveConsents({ ground, adapters, app, ...world }: World, call: Awaited<ReturnType<typeof signedUp>>) {
  const { mac, now } = adapters.system;
  const contacts = { email: [EMAIL] };
  for (const address of [`${MARK}-guest@example.net`, `${MARK}-silent@example.net`])
    await call("POST", "/api/associations", { address, owner: false, language: "en", contacts });
  await settle({ ...world, app });
  const mail = ground.sender.sent.findLast(({ to }) => to.value === `${MARK}-guest@example.net`);
  const [, token = ""] = /manage-invitation#t=([\w-]+)/.exec(JSON.stringify(mail)) ?? [];
  const accepted = await world.invitations.acceptLink(token, { details: true, sensitive: false });
  if (!accepted.ok) throw new Error(`Cannot accept: ${accepted.code}`);
  await adapters.transactions.invitations(({ blocks }) =>
    blocks.add({ addressMark: mac("address", EMAIL), inviterId: crypto.randomUUID(), at: now() }),
  );
}

/** Stored directly, as adding these takes a browser or a provider. */
async function leaveFactors({ adapters }: World, accountId: string): Promise<void> {
  const { transactions, system } = adapters;
  const at = system.now();
  await transactions.identity(async (store) => {
    const identity = { provider: "google", subject: `${MARK}-subject`, email: `${MARK}@gmail.example` } as const;
    await store.providerLinks.add({ ...identity, accountId, linkedAt: at });
    await store.recoveryCodes.replaceAll(accountId, [`${MARK}-mac`]);
    const authenticator = { accountId, sealedSecret: `${MARK}-secret`, createdAt: at, confirmedAt: at, lastStep: 7 };
    await store.authenticators.save(authenticator);
    const device = { browser: `${MARK} browser`, system: `${MARK} system` };
    const times = { createdAt: at, lastSeenAt: at, expiresAt: new Date(at.getTime() + 60_000) };
    await store.passkeys.add({
      id: `${MARK}-credential`,
      accountId,
      publicKey: `${MARK}-key`,
      counter: 1,
      transports: ["usb"],
      name: `${MARK} key`,
      createdAt: at,
      lastUsedAt: undefined,
    });
    await store.sessions.open(
      {
        id: system.newId(),
        tokenHash: `${MARK}-hash`,
        accountId,
        level: "authenticated",
        challengeId: undefined,
        device,
        ipPrefix: "203.0.113.0/24",
        confirmedAt: at,
        link: identity,
        passkeyChallenge: `${MARK}-challenge`,
        provider: { provider: "google", subject: `${MARK}-subject`, sid: `${MARK}-sid`, idToken: `${MARK}-token` },
        ...times,
      },
      100,
    );
    await store.apiTokens.add({
      id: system.newId(),
      accountId,
      tokenHash: `${MARK}-hash-of-token`,
      name: `${MARK} token`,
      createdAt: at,
      scopes: ["alerts:read"],
      expiresAt: at,
      lastUsedAt: at,
      lastIpPrefix: "203.0.113.0/24",
      busyUntil: at,
    });
    await store.audit.add({
      id: system.newId(),
      at,
      accountId,
      event: "passkey_added",
      sessionMark: MARK,
      ipPrefix: "203.0.113.0/24",
      device,
      detail: { name: `${MARK} key` },
    });
  });
}
