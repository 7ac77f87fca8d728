import { join } from "node:path";
import type { Row, Verdict } from "./asvs_row.ts";
import { V1 } from "./asvs_v1.ts";
import { V2 } from "./asvs_v2.ts";
import { V3 } from "./asvs_v3.ts";
import { V4 } from "./asvs_v4.ts";
import { V5 } from "./asvs_v5.ts";
import { V6 } from "./asvs_v6.ts";
import { V6_FACTORS } from "./asvs_v6_factors.ts";
import { V7 } from "./asvs_v7.ts";
import { V8 } from "./asvs_v8.ts";
import { V9 } from "./asvs_v9.ts";
import { V10 } from "./asvs_v10.ts";
import { V11 } from "./asvs_v11.ts";
import { V12 } from "./asvs_v12.ts";
import { V13 } from "./asvs_v13.ts";
import { V14 } from "./asvs_v14.ts";
import { V15 } from "./asvs_v15.ts";
import { V16 } from "./asvs_v16.ts";
import { V17 } from "./asvs_v17.ts";

/** Every requirement of levels 1 and 2, in the standard's order. */
export const ROWS: readonly Row[] = [
  ...[...V1, ...V2, ...V3, ...V4, ...V5, ...V6, ...V6_FACTORS, ...V7, ...V8, ...V9],
  ...[...V10, ...V11, ...V12, ...V13, ...V14, ...V15, ...V16, ...V17],
];
export const SHEET = join(import.meta.dirname, "asvs.md");

const WORDS: Record<Exclude<Verdict["kind"], "proof">, string> = {
  none: "Not applicable",
  deviation: "Deviation",
};

/** As listed in docs/security/asvs.md: one line each. */
export function deviations(): string[] {
  return ROWS.flatMap(({ id, verdict }) => (verdict.kind === "deviation" ? [`- **${id}** ${verdict.says}.`] : []));
}

function said({ verdict }: Row): string {
  if (verdict.kind !== "proof") return `${WORDS[verdict.kind]}: ${verdict.says}`;
  return verdict.tests.map(([file, title]) => `\`${file}\` ${title}`).join("<br>");
}

/** The sheet as a Markdown document. */
export function sheet(): string {
  const count = (kind: Verdict["kind"]) => ROWS.filter(({ verdict }) => verdict.kind === kind).length;
  const escaped = (text: string) => text.replaceAll("|", "\\|").replaceAll(/(?<!`)<(?!br>)/g, "&lt;");
  return [
    "# OWASP ASVS 5.0.0, levels 1 and 2",
    "",
    "Made by `bun run asvs` from `test/security/asvs_v*.ts`; a test checks that it is current. Numbers and levels are the standard's, the words are ours.",
    "",
    `${ROWS.length} requirements: ${count("proof")} proven by tests, ${count("none")} not applicable, ${count("deviation")} deviations.`,
    "",
    "| number | level | about | |",
    "|---|---|---|---|",
    ...ROWS.map((one) => `| ${one.id} | ${one.level} | ${escaped(one.about)} | ${escaped(said(one))} |`),
    "",
  ].join("\n");
}

if (import.meta.main) {
  await Bun.write(SHEET, sheet());
  process.stdout.write(sheet());
}
