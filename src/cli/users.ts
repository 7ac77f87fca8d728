import type { AccountRow } from "../identity/staff/staff_accounts.ts";
import { type Cell, done, facts, failed, type Piece, table, text } from "./answer.ts";
import { command } from "./command.ts";
import { account, accountCommand, BY, lastStaff, reason } from "./users_act.ts";
import { invite } from "./users_invite.ts";
import { givenShown, grant, revoke, staff } from "./users_plan.ts";
import { resetFactors, resetPassword, unlink } from "./users_rescue.ts";
import { ago, many, minute } from "./words.ts";

const LIST = 200;

const stateOf = ({ verified, lockedAt, staff }: AccountRow): Cell => {
  if (lockedAt !== null) return { text: "locked", tone: "bad" };
  if (!verified) return { text: "unproven", tone: "warn" };
  return staff ? { text: "staff", tone: "good" } : "–";
};

const list = command({
  name: "users",
  says: "List accounts, newest first",
  options: {
    search: { kind: "text", value: "text", says: "the start of an email, a last name or a full name" },
    state: { kind: "text", value: "state", says: "only those", choices: ["unverified", "locked", "staff"] },
    limit: { kind: "number", value: "n", says: `maximum number (${LIST})` },
  },
  examples: ["users", "users --search ada", "users --state locked --json"],
  room: "app",
  async run({ product, now }, { options: { search, state, limit = LIST } }) {
    const filter = { text: search, state: state as "unverified" | "locked" | "staff" | undefined };
    const accounts: AccountRow[] = [];
    let after: { at: Date; id: string } | undefined;
    let hasMore = true;
    while (hasMore && accounts.length < limit) {
      const page = await product.identity.listAccounts(filter, after);
      if (!page.ok) break;
      accounts.push(...page.value.accounts);
      const { next } = page.value;
      hasMore = next !== null;
      after = next === null ? undefined : { at: new Date(next.at), id: next.id };
    }
    const shown = accounts.slice(0, limit);
    const isCut = hasMore || accounts.length > limit;
    const rows = shown.map((row): Cell[] => [
      row.email,
      `${row.firstName} ${row.lastName}`,
      row.language,
      ago(row.createdAt, now()),
      stateOf(row),
      { text: row.id, tone: "dim" },
    ]);
    const more = isCut ? [text("There are more: --limit, or --search.", "dim")] : [];
    return done(
      { accounts: shown, isCut },
      table(["EMAIL", "NAME", "LANGUAGE", "SINCE", "STATE", "ID"], rows, "No account is like that."),
      ...more,
    );
  },
});

const show = command({
  name: "users show",
  says: "Show an account: how it logs in, what it tracks, what it pays",
  more: "Viewing is recorded in the audit log.",
  arguments: [account],
  examples: ["users show ada@example.com"],
  room: "app",
  changes: true,
  async run({ product, now }, { arguments: [typed = ""] }) {
    const { identity, tracking, billing, notifications, breaches } = product;
    const found = await identity.accountNamed(typed);
    const details = found.ok ? await identity.accountDetails(found.value.accountId) : found;
    if (!details.ok) return failed("NOT_FOUND", `There is no account "${typed}"`);
    const { sessions, ...row } = details.value;
    await identity.noteView(row.id, BY);
    const subscription = await billing.summaryOf(row.id);
    const { granted } = await billing.subscriptionViewOf(row.id);
    const watched = await tracking.countOf(row.id);
    const [alerts, contacts] = [await breaches.countOf(row.id), await notifications.countContacts(row.id)];
    const known: [string, Cell][] = [
      ["email", row.email],
      ["id", row.id],
      ["name", `${row.firstName} ${row.lastName}${row.companyName === null ? "" : `, ${row.companyName}`}`],
      ["language", row.language],
      ["since", `${minute(row.createdAt)} UTC`],
      ["proven", row.verified ? "yes" : { text: "no", tone: "warn" }],
      ["locked", row.lockedAt === null ? "no" : { text: `since ${minute(row.lockedAt)} UTC`, tone: "bad" }],
      ["staff", row.staff ? "yes" : "no"],
      ["second step", row.methods.join(", ") || "–"],
      ["providers", row.providers.join(", ") || "–"],
      ["plan", `${subscription.plan ?? "none"}${subscription.active ? "" : " (not active)"}`],
      ["given", granted === null ? "–" : givenShown(granted)],
      ["watches", many(watched, "address", "addresses")],
      ["alerts", String(alerts)],
      ["contacts", String(contacts)],
    ];
    const rows = sessions.map(({ browser, system, ipPrefix, lastSeenAt }): Cell[] => [
      [browser, system].filter((part) => part !== null).join(", ") || "–",
      ipPrefix,
      ago(lastSeenAt, now()),
    ]);
    const signedIn: Piece = table(["SIGNED IN WITH", "FROM", "SEEN"], rows, "Not logged in anywhere.");
    return done(
      { ...row, sessions, subscription, granted, watched, alerts, contacts },
      facts(known),
      text(""),
      signedIn,
    );
  },
});

const lock = accountCommand({
  name: "users lock",
  says: "Refuse logins and end every session; checks and alerts continue",
  more: "Its owner is told by mail.",
  options: { reason, "even-last": lastStaff },
  examples: ['users lock ada@example.com --reason "The mailbox was taken over"'],
  act: ({ identity }, id, { why, options }) =>
    identity.lockAccount(id, { reason: why, evenLast: options["even-last"] }, BY),
  done: () => "locked",
  facts: () => ({ locked: true }),
});

const unlock = accountCommand({
  name: "users unlock",
  says: "Unlock an account locked by the operator or by too many wrong attempts",
  options: { reason },
  examples: ["users unlock ada@example.com"],
  act: ({ identity }, id, { why }) => identity.unlockAccount(id, { reason: why }, BY),
  done: () => "open",
  facts: () => ({ locked: false }),
});

const remove = accountCommand({
  name: "users delete",
  says: "Delete an account and everything in it",
  more: "As its owner would: a current plan is cancelled, and nothing can be restored.",
  options: { reason, "even-last": lastStaff },
  examples: ['users delete ada@example.com --reason "Asked for by letter"', "users delete ada@example.com --yes"],
  asks: ({ arguments: [typed] }) => `Delete the account ${typed} with everything that belongs to it?`,
  act: ({ identity }, id, { why, options }) =>
    identity.removeAccount(id, { reason: why, evenLast: options["even-last"] }, BY),
  done: () => "deleted",
  facts: () => ({ deleted: true }),
});

export const users = [
  list,
  show,
  invite,
  lock,
  unlock,
  resetFactors,
  resetPassword,
  unlink,
  remove,
  grant,
  revoke,
  staff,
];
