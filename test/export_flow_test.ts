import { beforeAll, describe, expect, test } from "bun:test";
import { columnsOf, MARK, markedAccount, worldOnDatabase } from "./support/marked_account.ts";
import { emptyPglite } from "./support/postgres.ts";
import { settle, signedUp } from "./support/world.ts";

/** Where a table's rows stand in the document, which columns have another name there, and which are left out, and why. */
type Place = { at: string; as?: Record<string, string>; leftOut?: Record<string, string> };

const SECRET = "a secret";
const MACHINERY = "how the work is shared between processes; nothing about a person";

/** Every column of these has to be in the document, unless a reason says why not. */
const EXPORTED: Record<string, Place> = {
  "identity.users": { at: "account", leftOut: { password_hash: SECRET } },
  "identity.sessions": {
    at: "account.sessions.*",
    leftOut: {
      token_hash: SECRET,
      passkey_challenge: SECRET,
      level: "only full sessions are listed",
      challenge_id: "only full sessions are listed",
      link: "only of a sign-in under way; once made, the link is listed with the providers",
    },
  },
  "identity.email_changes": { at: "account.pendingEmail", leftOut: { token_hash: SECRET } },
  "identity.authenticators": {
    at: "account.authenticator",
    leftOut: { sealed_secret: SECRET, last_step: "the moment of the last code, which is in the activity" },
  },
  "identity.passkeys": { at: "account.passkeys.*", leftOut: { public_key: "of no use outside" } },
  "identity.recovery_codes": { at: "account.recoveryCodesLeft", leftOut: { mac: SECRET } },
  "identity.provider_links": { at: "account.providers.*" },
  "identity.terms_acceptances": { at: "account.acceptedTerms.*" },
  "identity.api_tokens": { at: "account.apiTokens.*", leftOut: { token_hash: SECRET, busy_until: MACHINERY } },
  "identity.audit_events": { at: "account.activity.*" },
  "identity.staff_acts": {
    at: "account.staffActs.*",
    leftOut: { actor_id: "somebody else of the staff", object_id: "the account itself" },
  },
  "tracking.association": { at: "records.tracking.associations.*" },
  "tracking.account": { at: "account", leftOut: { plan_changed_at: "which news of the plan was heard last" } },
  "invitations.invitation": {
    at: "records.invitations.asked.*",
    leftOut: { token_hash: SECRET, inviter_id: "the account itself, or somebody else" },
  },
  "invitations.consent_record": {
    at: "records.invitations.asked.*.entries.*",
    leftOut: { id: "of no use outside", invitation_id: "it stands with its invitation" },
  },
  "invitations.block": {
    at: "records.invitations.blocked.*",
    leftOut: { address_mark: "a keyed hash of the account's own address", at: "that it stands is what counts" },
  },
  "breaches.alert": { at: "records.breaches.alerts.*", as: { breach_name: "breach.name" } },
  "breaches.seen": { at: "records.breaches.bell" },
  "breaches.stale_notice": { at: "records.breaches.lateChecks" },
  "breaches.watch": {
    at: "records.breaches.checks.*",
    as: { baseline_at: "firstCheckedAt" },
    leftOut: {
      association_id: "that of tracking, by the address",
      details: "the scope of tracking's association",
      sensitive: "the scope of tracking's association",
      sha1: "a hash of the address, which is there",
      sha256: "a hash of the address, which is there",
    },
  },
  "breaches.scan": {
    at: "records.breaches.checks.*",
    as: { checked_at: "lastCheckedAt", due_at: "nextCheckAt" },
    leftOut: {
      ...Object.fromEntries(
        ["generation", "request", "failures", "retry_at", "lease_token", "lease_until"].map((name) => [
          name,
          MACHINERY,
        ]),
      ),
      source: "the document tells the last and next check over all sources",
      unsupported: "the document tells the last and next check over all sources",
    },
  },
  "notifications.contact": { at: "records.notifications.contacts.*", leftOut: { confirm_hash: SECRET } },
  "notifications.delivery": {
    at: "records.notifications.deliveries.*",
    as: { channel: "recipient.channel", value: "recipient.value" },
    leftOut: { sealed: SECRET, lease_token: MACHINERY },
  },
  "notifications.summary": { at: "records.notifications.monthlySummary" },
  "notifications.attempt": { at: "records.notifications.deliveries.*.tries.*" },
  "support.ticket": { at: "records.support.tickets.*" },
  "support.post": { at: "records.support.tickets.*.posts.*", leftOut: { ticket_id: "it stands with its ticket" } },
  "billing.subscription": {
    at: "records.billing.subscription",
    as: {
      ...Object.fromEntries(
        ["status", "plan", "quantity", "period", "currency"].map((name) => [name, `purchase.${name}`]),
      ),
      ...{ subscription_id: "purchase.subscriptionId", item_id: "purchase.itemId" },
      ...{ purchased_at: "purchase.purchasedAt", period_end: "purchase.periodEnd", cancel_at: "purchase.cancelAt" },
      past_due_since: "purchase.pastDueSince",
      ...{ granted_plan: "grant.plan", granted_quantity: "grant.quantity" },
      ...{ granted_from: "grant.from", granted_until: "grant.until" },
    },
  },
  "billing.checkout": { at: "records.billing.checkouts.*" },
  "billing.orders": { at: "records.billing.orders.*" },
  "billing.notice": { at: "records.billing.notices.*" },
};

/** Tables that are not about one account, or not for longer than moments. */
const NOT_EXPORTED: Record<string, string> = {
  "identity.login_codes": "keyed hashes of codes that live for minutes; that one was sent is in the deliveries",
  "identity.reset_tokens": "hashes of links that live for an hour; that one was sent is in the deliveries",
  "identity.attempts": "counters under keyed hashes, which name nobody",
  "invitations.address_mail": "counters under keyed hashes, which name nobody",
  "breaches.exposure": "of an address, for all who watch it; the account's alerts tell each",
  "breaches.alert_count": MACHINERY,
  "breaches.breach": "the public catalogue",
  "breaches.change": "the public catalogue",
  "breaches.dataset":
    "hashes of addresses from the operator's files, for whoever watches them; the account's alerts tell each",
  "breaches.dataset_block": "the same",
  "breaches.drill": "made up by the account itself, for a day at most; its alert is among the alerts",
  "breaches.logo": "pictures of the public catalogue's services",
  "breaches.import": "how far the operator's files are read",
  "breaches.source": "the state of the source",
  "breaches.rate_budget": MACHINERY,
  "billing.payment_event": MACHINERY,
  "billing.farewell": "who is to be forgotten by the payment provider, once the account is gone",
  "notifications.confirmation": "counters under keyed hashes, which name nobody",
  "support.sent": "counters under keyed hashes, which name nobody",
  "notifications.channel": "the state of the channel",
  "notifications.delivery_day": "figures by day and channel; nothing about a person",
  "operations.incident": "what the operator tells everybody; who wrote it is in the staff's own log",
  "operations.incident_update": "what the operator tells everybody; who wrote it is in the staff's own log",
  "operations.maintenance": "what the operator tells everybody while the service rests",
  "operations.job_run": "when each job ran last",
  "operations.part_day": "how sources and channels did, by the day",
  "notifications.open_receipt": "emergencies that may repeat, for three hours; each receipt is with its delivery",
  "notifications.telegram_link": "hashes of links that live for days; whom one has connected is with the contact",
  "notifications.telegram_update": "numbers of what has been answered, for days; nothing about a person",
  "notifications.telegram_lease": MACHINERY,
  "backup.erasure": "keyed hashes of who has left, which name nobody",
  "events.outbox": "news on the way between modules, for seconds",
};

const camel = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Whether the path leads somewhere; `*` is any entry of a list. What is there may be null. */
function leads(value: unknown, [step, ...rest]: string[]): boolean {
  if (step === undefined) return true;
  if (step === "*") return Array.isArray(value) && value.some((entry) => leads(entry, rest));
  return typeof value === "object" && value !== null && step in value && leads(Reflect.get(value, step), rest);
}

function pathOf(table: string, column: string): string | undefined {
  const place = EXPORTED[table];
  if (!place || place.leftOut?.[column] !== undefined) return undefined;
  if (column === "account_id") return "account.id";
  return `${place.at}.${place.as?.[column] ?? camel(column)}`;
}

/** Columns that the document misses although nobody said why. */
function missingFrom(document: unknown, columns: string[]): string[] {
  return columns.filter((name) => {
    const [schema = "", table = "", column = ""] = name.split(".");
    if (`${schema}.${table}` in NOT_EXPORTED || EXPORTED[`${schema}.${table}`]?.leftOut?.[column] !== undefined)
      return false;
    const path = pathOf(`${schema}.${table}`, column);
    return path === undefined || !leads(document, path.split("."));
  });
}

describe("the exported document", () => {
  let world: Awaited<ReturnType<typeof worldOnDatabase>>;
  let answer: Response;
  let text: string;
  let columns: string[];
  let accountId: string;

  beforeAll(async () => {
    world = await worldOnDatabase(await emptyPglite());
    const bob = await signedUp(world, "bob@example.net");
    const contacts = { email: ["bob@example.net"] };
    await bob("POST", "/api/associations", { address: "bob@example.net", owner: true, language: "en", contacts });
    const marked = await markedAccount(world);
    accountId = marked.accountId;
    await settle(world);
    answer = await marked.call("POST", "/api/profile/export", {});
    text = await answer.text();
    columns = await columnsOf(world);
  });

  test("comes as a file with the day in its name", () => {
    expect(answer.status).toBe(200);
    const day = world.adapters.system.now().toISOString().slice(0, 10);
    expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="breachbell-${day}.json"`);
    expect(answer.headers.get("Content-Type")).toContain("application/json");
  });

  test("holds every column of every table that is about the account, or there is a reason why not", () => {
    expect(columns.length).toBeGreaterThan(100);
    expect(missingFrom(JSON.parse(text), columns)).toEqual([]);
  });

  test("would miss a column or a table that is new", () => {
    const unknown = ["identity.users.shoe_size", "tracking.association.note", "loyalty.points.account_id"];
    expect(missingFrom(JSON.parse(text), [...columns, ...unknown])).toEqual(unknown);
  });

  test("has reasons only for what there is", () => {
    const tables = new Set(columns.map((name) => name.split(".").slice(0, 2).join(".")));
    expect([...Object.keys(EXPORTED), ...Object.keys(NOT_EXPORTED)].sort()).toEqual([...tables].sort());
    for (const [table, { as = {}, leftOut = {} }] of Object.entries(EXPORTED))
      for (const column of [...Object.keys(as), ...Object.keys(leftOut)])
        expect(columns).toContain(`${table}.${column}`);
  });

  test("holds no secret, and nobody else's data", () => {
    for (const secret of ["plain:", `${MARK}-secret`, `${MARK}-mac`, `${MARK}-hash`, `${MARK}-key`, "bob@example.net"])
      expect({ secret, found: text.includes(secret) }).toEqual({ secret, found: false });
    const hashes = text.match(/"[\w-]{43}"|"[0-9a-f]{64}"/g) ?? [];
    expect(hashes).toEqual([]);
    expect(Object.keys(JSON.parse(text).leftOut)).toContain("password");
  });

  test("holds the marks that the account has left, and is written down", async () => {
    for (const mark of [`${MARK} Ada`, `${MARK} AG`, `${MARK}_tg`, `${MARK} key`, `${MARK}-subject`, `${MARK}-friend`])
      expect(text).toContain(mark);
    const rows = await world.adapters.transactions.identity(({ audit }) => audit.list(accountId, new Date(0), 1));
    expect(rows[0]?.event).toBe("data_exported");
  });
});
