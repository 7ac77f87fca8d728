import type { Breach } from "../breaches/catalogue/breach.ts";
import type { StoredChange } from "../breaches/ports.ts";
import { type Cell, done, failed, type Piece, table, text } from "./answer.ts";
import { command } from "./command.ts";
import { isDay } from "./parse.ts";
import { many } from "./words.ts";

const MOST_NAMES = 20;
const DEFAULT_DAYS = 7;
const DAY_MS = 86_400_000;

type Outcome = {
  source: string;
  added: string[];
  changed: string[];
  removed: string[];
  broken: number;
  trouble: string | null;
};

function names(title: string, list: string[]): Piece[] {
  if (list.length === 0) return [];
  const rest = list.length > MOST_NAMES ? ` and ${list.length - MOST_NAMES} more` : "";
  return [text(`  ${title}: ${list.slice(0, MOST_NAMES).join(", ")}${rest}`)];
}

function outcomeLines({ source, added, changed, removed, broken, trouble }: Outcome): Piece[] {
  if (trouble !== null) return [text(`${source}: ${trouble}`, "bad")];
  const counts = `${added.length} new, ${changed.length} changed, ${removed.length} gone`;
  const unread = broken === 0 ? [] : [text(`  ${many(broken, "entry", "entries")} could not be read`, "warn")];
  return [
    text(`${source}: ${counts}`),
    ...names("new", added),
    ...names("changed", changed),
    ...names("gone", removed),
    ...unread,
  ];
}

const sync = command({
  name: "catalogue sync",
  says: "Read the whole catalogue of breaches now",
  more: "New breaches mark tracked addresses as due; the server checks them and raises alerts.",
  options: { source: { kind: "text", value: "name", says: "only of this source" } },
  examples: ["catalogue sync", "catalogue sync --source hibp"],
  room: "app",
  changes: true,
  async run({ product: { breaches }, audit, signal }, { options }) {
    const all = breaches.sourceNames();
    if (options.source !== undefined && !all.includes(options.source))
      return failed("NO_SUCH_SOURCE", `There is no source "${options.source}" here, only ${all.join(", ")}`);
    const outcomes: Outcome[] = [];
    for (const source of options.source === undefined ? all : [options.source]) {
      if (signal.aborted) break;
      const report = await breaches.syncCatalogue(source);
      const nothing = { added: [], changed: [], removed: [], broken: 0 };
      outcomes.push(
        "added" in report ? { source, ...report, trouble: null } : { source, ...nothing, trouble: report.reason },
      );
    }
    await audit("catalogue_read", { kind: "installation", id: "catalogue" });
    const data = { sources: outcomes };
    const shown = outcomes.flatMap(outcomeLines);
    const troubled = outcomes.filter(({ trouble }) => trouble !== null);
    if (troubled.length === 0) return done(data, ...shown);
    return failed("SOURCE_TROUBLE", "Not every catalogue could be read; it is retried automatically", { data, shown });
  },
});

function differences(change: StoredChange): string {
  const correction = (name: string, of: { from: unknown; to: unknown } | null) =>
    of === null ? [] : [`${name} ${of.from} → ${of.to}`];
  const parts = [
    ...(change.retired === true ? ["no longer listed"] : change.retired === false ? ["listed again"] : []),
    ...change.addedClasses.map((name) => `+ ${name}`),
    ...change.removedClasses.map((name) => `− ${name}`),
    ...change.addedFlags.map((name) => `+ ${name}`),
    ...change.removedFlags.map((name) => `− ${name}`),
    ...correction("accounts", change.count),
    ...correction("happened", change.happened),
    ...correction("title", change.title),
  ];
  return parts.join("; ") || "corrected";
}

const addedRow = ({ addedDate, title, breachDate, pwnCount }: Breach): Cell[] => [
  addedDate.slice(0, 10),
  title,
  breachDate ?? "–",
  pwnCount === 0 ? "–" : pwnCount.toLocaleString("en"),
];

function changeRow(change: StoredChange): Cell[] {
  const what = differences(change);
  return [change.at.slice(0, 10), change.breachName, change.worse ? { text: `worse: ${what}`, tone: "warn" } : what];
}

const changes = command({
  name: "catalogue changes",
  says: "List new breaches and changes to known ones",
  options: { since: { kind: "text", value: "day or 30d", says: "from this day on, or a number of days back (7d)" } },
  examples: ["catalogue changes", "catalogue changes --since 30d", "catalogue changes --since 2026-07-01"],
  room: "app",
  refuses: ({ options: { since } }) =>
    since === undefined || isDay(since) || /^\d{1,5}d$/.test(since)
      ? undefined
      : `--since takes a day such as 2026-07-31 or a number of days such as 30d, not "${since}"`,
  async run({ product, now }, { options: { since = `${DEFAULT_DAYS}d` } }) {
    const days = Number(/^(\d+)d$/.exec(since)?.[1] ?? Number.NaN);
    const from = Number.isNaN(days) ? new Date(since) : new Date(Math.max(0, now().getTime() - days * DAY_MS));
    const { added, changes: list, isCut } = await product.breaches.listNews(from);
    const day = from.toISOString().slice(0, 10);
    const data = {
      since: from.toISOString(),
      added: added.map(({ name, title, addedDate, breachDate, pwnCount }) => ({
        name,
        title,
        addedDate,
        breachDate,
        pwnCount,
      })),
      changes: list.map((change) => ({
        at: change.at,
        breach: change.breachName,
        worse: change.worse,
        what: differences(change),
      })),
      isCut,
    };
    return done(
      data,
      table(["ADDED", "BREACH", "HAPPENED", "ACCOUNTS"], added.map(addedRow), `Nothing new since ${day}.`),
      text(""),
      table(["CHANGED", "BREACH", "WHAT"], list.map(changeRow), `Nothing became different since ${day}.`),
      ...(isCut ? [text("There is more: choose a later day.", "warn")] : []),
    );
  },
});

export const catalogue = [sync, changes];
