import { releaseRestored } from "../backup/after_restore.ts";
import type { HeldReason } from "../notifications/ports.ts";
import { RELEASABLE } from "../notifications/reporting/delivery_admin.ts";
import { type Answer, type Cell, done, facts, failed, type Piece, type Tone, table, text } from "./answer.ts";
import { type AppContext, command } from "./command.ts";
import { ago, many, minute } from "./words.ts";

const page = { kind: "number", value: "n", says: "which page of the list" } as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ids = { name: "id", says: "the id of a message", many: true } as const;
const TONE: Record<string, Tone> = { dead: "bad", held: "warn", sending: "good" };

const queue = command({
  name: "deliveries",
  says: "Count messages that are waiting, held back, or were not delivered",
  options: {
    account: { kind: "text", value: "email", says: "list this account's messages instead, the newest first" },
    page,
  },
  examples: ["deliveries", "deliveries --account ada@example.com", "deliveries --json"],
  room: "app",
  async run(context, { options: { account, page: typed } }) {
    if (account !== undefined) return ofAccount(context, account, Math.max(1, typed ?? 1));
    const { product, now } = context;
    const counts = await product.notifications.stateCounts();
    const { due, held, dead, inDoubt, oldestDueAt } = await product.notifications.backlog();
    const rows = counts.map(({ state, reason, channel, count, oldest }): Cell[] => [
      { text: state, tone: TONE[state] ?? "dim" },
      reason ?? "–",
      channel,
      String(count),
      ago(oldest, now()),
    ]);
    const oldest = oldestDueAt?.toISOString() ?? null;
    const data = {
      due,
      held,
      dead,
      inDoubt,
      oldestDueAt: oldest,
      piles: counts.map((one) => ({ ...one, reason: one.reason ?? null })),
    };
    const doubt =
      inDoubt === 0
        ? []
        : [text(`${many(inDoubt, "message")} may have been sent without an answer: they are tried again.`, "warn")];
    return done(
      data,
      table(["STATE", "REASON", "CHANNEL", "COUNT", "OLDEST"], rows, "Nothing waits, and nothing was lost."),
      ...doubt,
    );
  },
});

async function ofAccount({ product }: AppContext, typed: string, at: number): Promise<Answer> {
  const found = await product.identity.accountNamed(typed);
  if (!found.ok) return failed("NOT_FOUND", `There is no account "${typed}"`);
  const messages = await product.notifications.listOfAccount(found.value.accountId, at);
  return listed(messages, at, "There are no messages for this account.");
}

type Row = Awaited<ReturnType<AppContext["product"]["notifications"]["listDead"]>>["items"][number];

function listed(what: { items: Row[]; total: number; pageSize: number }, at: number, empty: string): Answer {
  const rows = what.items.map(
    ({ id, at: when, channel, value, kind, state, reason, detail, tries, nextTryAt }): Cell[] => [
      ...[id, minute(when), `${channel} ${value}`, kind],
      `${state}${reason === null ? "" : ` (${reason})`}`,
      ...[String(tries), nextTryAt === null ? "–" : minute(nextTryAt), detail ?? "–"],
    ],
  );
  const pages = Math.max(1, Math.ceil(what.total / what.pageSize));
  const foot =
    what.total > what.items.length
      ? [text(`${what.total} in all, page ${at} of ${pages}: --page ${at + 1}`, "dim")]
      : [];
  const columns = ["ID", "AT (UTC)", "TO", "KIND", "STATE", "TRIES", "NEXT TRY", "SAID"];
  return done({ items: what.items, total: what.total, page: at, pages }, table(columns, rows, empty), ...foot);
}

const list = command({
  name: "deliveries queue",
  says: "List messages not sent yet, next one first",
  options: { page },
  examples: ["deliveries queue", "deliveries queue --page 2"],
  room: "app",
  async run({ product }, { options }) {
    const at = Math.max(1, options.page ?? 1);
    return listed(await product.notifications.listWaiting(at), at, "Nothing waits.");
  },
});

const dead = command({
  name: "deliveries dead",
  says: "List messages that were not delivered, latest first",
  options: { page },
  examples: ["deliveries dead"],
  room: "app",
  async run({ product }, { options }) {
    const at = Math.max(1, options.page ?? 1);
    return listed(await product.notifications.listDead(at), at, "Everything arrived.");
  },
});

const show = command({
  name: "deliveries show",
  says: "Show a message with every attempt",
  arguments: [{ name: "id", says: "the id of a message" }],
  examples: ["deliveries show 0198c0de-0000-7000-8000-000000000001"],
  room: "app",
  async run({ product }, { arguments: [id = ""] }) {
    const found = UUID.test(id) ? await product.notifications.showDelivery(id) : undefined;
    if (!found?.ok) return failed("NOT_FOUND", `There is no message "${id}"`);
    const { attempts, ...row } = found.value;
    const tries = attempts.map(({ startedAt, outcome, detail }): Cell[] => [
      minute(startedAt),
      outcome ?? "no answer",
      detail ?? "–",
    ]);
    const known: [string, Cell][] = [
      ["to", `${row.channel} ${row.value}`],
      ["kind", row.kind],
      ["state", row.state + (row.reason === null ? "" : ` (${row.reason})`)],
      ["written", minute(row.createdAt)],
      ["next try", row.nextTryAt === null ? "–" : minute(row.nextTryAt)],
      ["known there as", row.providerId ?? "–"],
    ];
    const doubt = row.inDoubt ? [text("It may have been sent without an answer.", "warn")] : [];
    return done(
      found.value,
      facts(known),
      ...doubt,
      text(""),
      table(["TRIED (UTC)", "OUTCOME", "SAID"], tries, "Not tried yet."),
    );
  },
});

const VERBS = { message_resent: "tried again", message_held: "held back", message_released: "released" };
type Act = keyof typeof VERBS;

/** Audits what was done to each of the wanted messages, and reports it; fails if any of them was refused. */
async function each(
  { audit }: AppContext,
  wanted: string[],
  act: Act,
  changed: string[],
  refusal: string,
): Promise<Answer> {
  for (const id of changed) await audit(act, { kind: "message", id });
  const data = { changed, refused: wanted.filter((id) => !changed.includes(id)) };
  const shown: Piece[] = data.refused.map((id) => text(`${id}  ${refusal}`, "warn"));
  const sum = text(`${many(changed.length, "message")} ${VERBS[act]}.`);
  return data.refused.length === 0
    ? done(data, sum)
    : failed("NOT_FOUND", `${many(data.refused.length, "message")} could not be`, { data, shown: [...shown, sum] });
}

async function allOf({ audit }: AppContext, act: Act, changed: string[]): Promise<Answer> {
  if (changed.length > 0) await audit(act, { kind: "message", id: "all" }, { count: String(changed.length) });
  return done({ changed, refused: [] }, text(`${many(changed.length, "message")} ${VERBS[act]}.`));
}

const valid = (list: string[]) => list.filter((id) => UUID.test(id));

const resend = command({
  name: "deliveries resend",
  says: "Retry messages that were not delivered",
  more: "Each is rendered again with current data. Requested codes and links are not resent, because they have expired.",
  arguments: [{ ...ids, optional: true }],
  options: { dead: { kind: "flag", says: "all messages that were not delivered" } },
  examples: ["deliveries resend 0198c0de-0000-7000-8000-000000000001", "deliveries resend --dead"],
  room: "app",
  changes: true,
  refuses: ({ arguments: wanted, options }) =>
    wanted.length > 0 === options.dead ? "Name the messages, or say --dead for all" : undefined,
  asks: ({ options }) => (options.dead ? "Try again everything that ended without arriving?" : undefined),
  async run(office, { arguments: wanted, options }) {
    const { notifications } = office.product;
    if (options.dead) return allOf(office, "message_resent", await notifications.resendAllDead());
    const changed: string[] = [];
    for (const id of valid(wanted)) if ((await notifications.resend(id)).ok) changed.push(id);
    return each(
      office,
      wanted,
      "message_resent",
      changed,
      "is no message that ended without arriving and may be sent again",
    );
  },
});

const hold = command({
  name: "deliveries hold",
  says: "Hold messages back until they are released",
  arguments: [{ ...ids, optional: true }],
  options: { all: { kind: "flag", says: "all that are due, except requested codes and links" } },
  examples: ["deliveries hold 0198c0de-0000-7000-8000-000000000001", "deliveries hold --all"],
  room: "app",
  changes: true,
  refuses: ({ arguments: wanted, options }) =>
    wanted.length > 0 === options.all ? "Name the messages, or say --all" : undefined,
  asks: ({ options }) => (options.all ? "Hold back every message that is due?" : undefined),
  async run(office, { arguments: wanted, options }) {
    const { notifications } = office.product;
    if (options.all) return allOf(office, "message_held", await notifications.holdDeliveries(undefined));
    const changed = await notifications.holdDeliveries(valid(wanted));
    return each(office, wanted, "message_held", changed, "is no message that is due");
  },
});

const release = command({
  name: "deliveries release",
  says: "Release messages that are held back",
  more: "Messages waiting for the recipient (quiet hours, a daily message, a confirmation) are not affected.",
  arguments: [{ ...ids, optional: true }],
  options: {
    reason: {
      kind: "text",
      value: "reason",
      says: "all that are held for this reason",
      choices: [...RELEASABLE, "any"],
    },
  },
  examples: [
    "deliveries release 0198c0de-0000-7000-8000-000000000001",
    "deliveries release --reason misconfigured",
    "deliveries release --reason any",
  ],
  room: "app",
  changes: true,
  refuses: ({ arguments: wanted, options }) =>
    wanted.length > 0 === (options.reason !== undefined) ? "Name the messages, or a --reason" : undefined,
  async run(office, { arguments: wanted, options: { reason } }) {
    const { notifications } = office.product;
    if (reason === undefined) {
      const changed = await notifications.releaseDeliveries(valid(wanted), RELEASABLE);
      return each(office, wanted, "message_released", changed, "is no message that the operator may release");
    }
    const reasons = reason === "any" ? RELEASABLE : [reason as HeldReason];
    const released = await notifications.releaseDeliveries(undefined, reasons);
    // Releases everything else that a restore has held back, along with the messages.
    if (reasons.includes("operator")) await (await office.database())(releaseRestored);
    return allOf(office, "message_released", released);
  },
});

export const deliveries = [queue, list, dead, show, resend, hold, release];
