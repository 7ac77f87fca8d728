import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The score of a mail, and the rules that have added to it. */
export type SpamScore = { score: number; rules: string[] };

const PROGRAM = "spamassassin";

/** As an mbox: lines of a mail that look like the start of the next are quoted. The numbers tell which is which: the order changes. */
function mboxOf(mails: string[]): string {
  const quoted = mails.map((mail) => mail.replaceAll("\r\n", "\n").replaceAll(/^(>*From )/gm, ">$1"));
  return quoted.map((mail, number) => `From nobody Mon Mar  2 08:00:00 2026\nX-Number: ${number}\n${mail}\n`).join("");
}

/**
 * How Debian's SpamAssassin judges these mails by its own rules alone, without the network and without what it has learned. One
 * process for all of them, as it takes seconds to load the rules.
 */
export async function spamScores(mails: string[]): Promise<SpamScore[]> {
  if (Bun.which(PROGRAM) === null) throw new Error(`Cannot find "${PROGRAM}": apt-get install ${PROGRAM}`);
  const home = mkdtempSync(join(tmpdir(), "breachbell-spam-"));
  const settings = join(home, "user_prefs");
  writeFileSync(
    settings,
    [
      ...["use_bayes 0", "use_auto_whitelist 0", "fold_headers 0", "clear_headers"],
      "add_header all Judged _SCORE_ _TESTSSCORES(,)_",
    ].join("\n"),
  );
  const judging = Bun.spawn([PROGRAM, "--local", "--mbox", "--prefspath", settings], {
    stdin: new Blob([mboxOf(mails)]),
    stderr: "pipe",
    env: { PATH: process.env.PATH ?? "", HOME: home, LC_ALL: "C" },
  });
  const [said, trouble] = await Promise.all([new Response(judging.stdout).text(), new Response(judging.stderr).text()]);
  const code = await judging.exited;
  rmSync(home, { recursive: true, force: true });
  const judged = new Map(
    said.split(/^From nobody /m).map((mail) => {
      const [, score, rules = ""] = /^X-Spam-Judged: (-?[\d.]+) (\S*)$/m.exec(mail) ?? [];
      return [Number(/^X-Number: (\d+)$/m.exec(mail)?.[1]), { score: Number(score), rules: rules.split(",") }];
    }),
  );
  return mails.map((_, number) => {
    const score = judged.get(number);
    if (!score || Number.isNaN(score.score)) throw new Error(`SpamAssassin has not judged all (${code}): ${trouble}`);
    return score;
  });
}
