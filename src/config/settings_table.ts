import * as v from "valibot";
import { SECRETS, type SettingName, settingsSchema, TOPICS } from "./config.ts";
import type { SettingWords } from "./setting_words.ts";

/** The documentation of every setting. */
export const SETTING_WORDS = Object.assign({}, ...TOPICS.map(({ words }) => words)) as Record<
  SettingName,
  SettingWords
>;

const [FROM, TO] = ["<!-- settings: bun run settings -->", "<!-- /settings -->"];

/** All settings as a Markdown table, generated from the schema. */
export function settingsTable(): string {
  const defaults = v.getDefaults(settingsSchema);
  const names = (Object.keys(settingsSchema.entries) as (keyof typeof defaults)[]).filter(
    (name) => !SETTING_WORDS[name].isRepeated,
  );
  const rows = names.map((name) => {
    const { says, standard, required = "" } = SETTING_WORDS[name];
    const own = defaults[name] ? `\`${defaults[name]}\`` : "–";
    const star = SECRETS.includes(name) ? " *" : "";
    return `| \`${name}\`${star} | ${says} | ${standard ?? own} | ${required} |`;
  });
  return ["| setting | what it does | default | required |", "|---|---|---|---|", ...rows].join("\n");
}

/** The document with the current table between its two markers. Throws where they are missing. */
export function withSettingsTable(document: string): string {
  const [from, to] = [document.indexOf(FROM), document.indexOf(TO)];
  if (from < 0 || to < from) throw new Error(`Cannot find "${FROM}" and "${TO}" behind it`);
  return `${document.slice(0, from + FROM.length)}\n\n${settingsTable()}\n\n${document.slice(to)}`;
}
