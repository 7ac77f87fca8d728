import { type Cell, done, failed, type Piece, table, text } from "./answer.ts";
import { type AppContext, command } from "./command.ts";
import { ago } from "./words.ts";

type Checked = {
  source: string;
  checked: number;
  raised: number;
  trouble: string | null;
  stillDue: number;
  /** How many of those have failed before and wait for their next try. */
  retrying: number;
};

/** Has each source check what is due, until all is done or the command is cancelled. */
async function checkDue({ product, signal, progress }: AppContext): Promise<Checked[]> {
  const { breaches } = product;
  const before = new Map((await breaches.sourcesHealth()).map(({ source, due }) => [source, due]));
  const list: Checked[] = [];
  for (const source of breaches.sourceNames()) {
    const total = before.get(source) ?? 0;
    progress({ done: 0, total, says: `${source}: ${total} due` });
    const { checked, raised, trouble } = await breaches.scanDue(source, () => signal.aborted);
    progress({ done: checked, total, says: `${source}: ${checked} checked` });
    list.push({ source, checked, raised, trouble: trouble?.reason ?? null, stillDue: 0, retrying: 0 });
    if (signal.aborted) break;
  }
  // Messages about new breaches are sent by the server's jobs or, without a server, here.
  const after = new Map((await breaches.sourcesHealth()).map(({ source, ...health }) => [source, health]));
  return list.map((one) => {
    const { due = 0, retrying = 0 } = after.get(one.source) ?? {};
    return { ...one, stillDue: due, retrying };
  });
}

/** What was done with all that was due. */
function stateOf({ trouble, stillDue, retrying }: Checked): Cell {
  if (trouble !== null) return { text: trouble, tone: "bad" };
  if (stillDue === 0) return { text: "all checked", tone: "good" };
  const others = stillDue - retrying;
  const parts = [
    ...(retrying > 0 ? [`${retrying} failed before and will be retried later`] : []),
    ...(others > 0 ? [`${others} left to the server`] : []),
  ];
  return { text: parts.join(", "), tone: "warn" };
}

function shownOf(list: Checked[]): Piece {
  const rows = list.map((one): Cell[] => [
    one.source,
    String(one.checked),
    String(one.raised),
    String(one.stillDue),
    stateOf(one),
  ]);
  return table(["SOURCE", "CHECKED", "NEW ALERTS", "STILL DUE", "STATE"], rows, "No source is queried.");
}

function answerOf(list: Checked[], more: { data?: object; shown?: Piece[] } = {}) {
  const data = { sources: list, ...more.data };
  const shown = [shownOf(list), ...(more.shown ?? [])];
  const troubled = list.filter(({ trouble }) => trouble !== null);
  if (troubled.length === 0) return done(data, ...shown);
  const names = troubled.map(({ source }) => source).join(", ");
  return failed("SOURCE_TROUBLE", `Not everything could be checked with ${names}; it is retried automatically`, {
    data,
    shown,
  });
}

const object = { kind: "installation", id: "checks" } as const;

const now = command({
  name: "scan now",
  says: "Check what is due without waiting for the next run",
  examples: ["scan now"],
  room: "app",
  changes: true,
  async run(office) {
    const list = await checkDue(office);
    await office.audit("checks_started", object, { which: "due" });
    return answerOf(list);
  },
});

const all = command({
  name: "scan all",
  says: "Mark every tracked address as due, and check them",
  more: "Each source is queried at its allowed rate; Ctrl-C stops waiting, and the rest stays due for the server.",
  options: { later: { kind: "flag", says: "only mark them as due; the running server checks them" } },
  examples: ["scan all", "scan all --later"],
  room: "app",
  changes: true,
  async run(office, { options }) {
    await office.product.breaches.makeAllDue();
    await office.audit("checks_started", object, { which: "all" });
    if (!options.later) return answerOf(await checkDue(office));
    const sources = (await office.product.breaches.sourcesHealth()).map(({ source, due }) => ({ source, due }));
    const rows = sources.map(({ source, due }) => [source, String(due)]);
    return done({ sources }, table(["SOURCE", "DUE"], rows, "No source is queried."));
  },
});

const one = command({
  name: "scan",
  says: "Check one tracked address now",
  more: 'See also "scan now" for what is due and "scan all" for all addresses.',
  arguments: [{ name: "address", says: "a tracked address" }],
  examples: ["scan ada@example.com"],
  room: "app",
  changes: true,
  async run(office, { arguments: [typed = ""] }) {
    const { breaches } = office.product;
    const made = await breaches.makeDue(typed);
    if (!made.ok) return failed("NOT_WATCHED", `No account tracks "${typed}"`);
    await office.audit("checks_started", object, { which: "one" });
    const list = await checkDue(office);
    const checks = await breaches.showChecks(made.value.address);
    const rows = checks.map(({ source, checkedAt, dueAt }): Cell[] => [
      source,
      checkedAt === null ? { text: "not yet", tone: "warn" } : ago(checkedAt, office.now()),
      dueAt === null ? "–" : dueAt.slice(0, 16).replace("T", " "),
    ]);
    const shown = [text(""), table([made.value.address, "CHECKED", "NEXT (UTC)"], rows, "No source is queried.")];
    return answerOf(list, { data: { address: made.value.address, checks }, shown });
  },
});

export const scan = [now, all, one];
