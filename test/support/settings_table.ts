import * as v from "valibot";
import { SECRETS, type SettingName, settingsSchema, TOPICS } from "../../src/config/config.ts";
import type { SettingWords } from "../../src/config/setting_words.ts";

/** The documentation of every setting. */
export const SETTING_WORDS = Object.assign({}, ...TOPICS.map(({ words }) => words)) as Record<
  SettingName,
  SettingWords
>;

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
