import { normaliseEmail } from "../shared/email_address.ts";
import { orLate } from "../shared/or_late.ts";
import { type Cell, done, failed, type Piece, type Tone, table, text } from "./answer.ts";
import { command, type DatabaseContext } from "./command.ts";
import { checkBackups } from "./doctor_backups.ts";
import { checkNtfy, checkPushover, checkTelegram } from "./doctor_channels.ts";
import { checkDatabase } from "./doctor_database.ts";
import { checkDirectory } from "./doctor_directory.ts";
import { checkEvents } from "./doctor_events.ts";
import { type Finding, fail, type Probe, troubleOf } from "./doctor_finding.ts";
import { checkJobs } from "./doctor_jobs.ts";
import { checkMail, sendTest } from "./doctor_mail.ts";
import { checkPayments } from "./doctor_payments.ts";
import { checkProviders } from "./doctor_providers.ts";
import { checkPublicUrl } from "./doctor_public.ts";
import { checkRests } from "./doctor_rests.ts";
import { checkSecret } from "./doctor_secret.ts";
import { checkSources } from "./doctor_sources.ts";
import { many } from "./words.ts";

/** Applies even if a peer never answers. */
const DEADLINE_MS = 20_000;
/** A mail server may take longer to accept a mail. */
const SEND_WITHIN_MS = 120_000;
const MARK: Record<Finding["state"], Cell & { tone: Tone }> = {
  ok: { text: "✓ ok", tone: "good" },
  warn: { text: "! look", tone: "warn" },
  fail: { text: "✗ fix", tone: "bad" },
};

/** In the order of the output; each probe is read-only. */
const PROBES: [area: string, probe: Probe, withinMs?: number][] = [
  ["database", checkDatabase],
  ["data", checkDirectory],
  ["backups", checkBackups],
  ["secret", checkSecret],
  ["public", checkPublicUrl],
  ["mail", checkMail],
  ["providers", checkProviders],
  ["sources", checkSources],
  ["telegram", checkTelegram],
  ["pushover", checkPushover],
  ["ntfy", checkNtfy],
  ["events", checkEvents],
  ["payments", checkPayments],
  ["channels", checkRests],
  ["jobs", checkJobs],
];

async function probe(look: Probe, bench: DatabaseContext, withinMs: number): Promise<Finding[]> {
  const late = fail(`No answer within ${withinMs / 1000} s`, "Check that it can be reached from here");
  try {
    return await orLate(withinMs, look(bench), [late]);
  } catch (error) {
    const says = `It could not be checked: ${troubleOf(error, "an unexpected error")}`;
    return [fail(says, "Run it again; if the problem persists, report it")];
  }
}

export const doctor = command({
  name: "doctor",
  says: "Check that everything works, and explain how to fix what doesn't",
  more: "Sends no messages without --send-test, changes nothing and shows no secrets. Exits with code 1 if something has to be fixed.",
  options: {
    only: { kind: "text", value: "area", says: "only this", choices: PROBES.map(([area]) => area) },
    "send-test": {
      kind: "text",
      value: "address",
      says: "also send a test mail there, and show the mail server's answer",
    },
  },
  examples: ["doctor", "doctor --only mail", "doctor --only mail --send-test ada@example.com", "doctor --json"],
  room: "database",
  refuses: ({ options }) => {
    const address = options["send-test"];
    const isAddress = address === undefined || normaliseEmail(address) !== undefined;
    return isAddress ? undefined : `"${address}" is no email address`;
  },
  async run(bench, { options }) {
    const wanted = PROBES.filter(([area]) => options.only === undefined || options.only === area);
    const address = options["send-test"];
    if (address !== undefined)
      wanted.push(["mail", (bench) => sendTest(bench, normaliseEmail(address) ?? address), SEND_WITHIN_MS]);
    const all: (Finding & { area: string })[] = [];
    for (const [index, [area, look, withinMs = DEADLINE_MS]] of wanted.entries()) {
      bench.progress({ done: index, total: wanted.length, says: `Checking ${area}`, isFleeting: true });
      for (const found of await probe(look, bench, withinMs)) all.push({ area, ...found });
      if (bench.signal.aborted) break;
    }
    const rows = all.map(({ area, state, says }): Cell[] => [MARK[state], area, says]);
    const mends = all.flatMap(({ area, state, mend }): Piece[] =>
      state === "ok" || mend === null
        ? []
        : [text(`${state === "fail" ? "✗" : "!"} ${area}: ${mend}.`, state === "fail" ? "bad" : "warn")],
    );
    const count = (state: Finding["state"]) => all.filter((one) => one.state === state).length;
    const counts = { ok: count("ok"), warn: count("warn"), fail: count("fail") };
    const shown = [
      table(["", "AREA", "FOUND"], rows, "Nothing to check."),
      ...(mends.length > 0 ? [text(""), ...mends] : []),
      text(""),
    ];
    const data = { findings: all, ...counts };
    if (counts.fail > 0) return failed("MEND", `${many(counts.fail, "problem")} to fix`, { data, shown });
    const sum =
      counts.warn === 0
        ? text("Everything is fine.", "good")
        : text(`It works, with ${many(counts.warn, "warning")}.`, "warn");
    return done(data, ...shown, sum);
  },
});
