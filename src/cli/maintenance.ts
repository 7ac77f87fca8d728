import { type Cell, done, facts, text } from "./answer.ts";
import { command } from "./command.ts";
import { ago, minute } from "./words.ts";

const object = { kind: "installation", id: "maintenance" } as const;
const LONGEST_MESSAGE = 500;

type Rest = { since: Date; until: Date | undefined; message: string | undefined };

const dataOf = (rest: Rest | undefined) => ({
  on: rest !== undefined,
  since: rest?.since.toISOString() ?? null,
  until: rest?.until?.toISOString() ?? null,
  message: rest?.message ?? null,
});

/** An instant, or a duration from now: `30m`, `2h`. */
function endOf(typed: string, now: Date): Date | undefined {
  const [, count, unit] = /^(\d{1,4})([mh])$/.exec(typed) ?? [];
  if (count !== undefined) return new Date(now.getTime() + Number(count) * (unit === "h" ? 3_600_000 : 60_000));
  // The zone is required, as otherwise the server's would be assumed.
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(typed)) return undefined;
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function shownOf(rest: Rest, now: Date) {
  const list: [string, Cell][] = [
    ["maintenance", { text: "on", tone: "warn" }],
    ["since", `${minute(rest.since.toISOString())} UTC (${ago(rest.since, now)})`],
    [
      "until",
      rest.until === undefined ? "not said" : `${minute(rest.until.toISOString())} UTC (${ago(rest.until, now)})`,
    ],
    ["message", rest.message ?? "–"],
  ];
  return facts(list);
}

const on = command({
  name: "maintenance on",
  says: "Turn maintenance mode on: visitors see a maintenance page, and no jobs run",
  more: "Every process on the database follows within a second. It lasts until you turn it off; --until only tells people when to come back. Health checks, this command line, static files and staff keep working: staff log in at /en/staff.",
  options: {
    message: { kind: "text", value: "text", says: "your own text for the page, shown as it is, in one language" },
    until: { kind: "text", value: "when", says: "when it is expected to end: 30m, 2h, or 2026-07-31T12:00Z" },
  },
  examples: ["maintenance on", 'maintenance on --until 30m --message "We are moving to a larger machine."'],
  room: "app",
  changes: true,
  refuses({ options: { until, message } }) {
    if (until !== undefined && endOf(until, new Date(0)) === undefined)
      return `--until takes 30m, 2h or a moment such as 2026-07-31T12:00Z, not "${until}"`;
    return (message?.length ?? 0) > LONGEST_MESSAGE
      ? `--message takes at most ${LONGEST_MESSAGE} characters`
      : undefined;
  },
  async run({ product, config, now, audit }, { options: { message, until } }) {
    const end = until === undefined ? undefined : endOf(until, now());
    const rest = await product.operations.startMaintenance({ until: end, message: message?.trim() || undefined });
    await audit("maintenance_started", object);
    return done(
      dataOf(rest),
      shownOf(rest, now()),
      text(`Staff can still log in at ${config.publicUrl}/en/staff`, "dim"),
      text("Turn it off with: breachbell maintenance off", "dim"),
    );
  },
});

const off = command({
  name: "maintenance off",
  says: "Turn maintenance mode off",
  examples: ["maintenance off"],
  room: "app",
  changes: true,
  async run({ product, audit }) {
    const wasOn = await product.operations.endMaintenance();
    if (wasOn) await audit("maintenance_ended", object);
    return done(
      { ...dataOf(undefined), wasOn },
      text(wasOn ? "Maintenance mode is off." : "Maintenance mode was not on."),
    );
  },
});

const status = command({
  name: "maintenance status",
  says: "Show whether maintenance mode is on",
  examples: ["maintenance status"],
  room: "app",
  async run({ product, now }) {
    const rest = await product.operations.currentMaintenance();
    return done(dataOf(rest), rest === undefined ? text("maintenance  off", "good") : shownOf(rest, now()));
  },
});

export const maintenance = [on, off, status];
