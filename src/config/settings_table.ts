import * as v from "valibot";
import { backupWords } from "./backup_config.ts";
import { billingWords } from "./billing_config.ts";
import { channelWords } from "./channel_config.ts";
import { SECRETS, settingsSchema } from "./config.ts";
import { eventWords } from "./event_config.ts";
import { generalWords } from "./general_config.ts";
import { mailWords } from "./mail_config.ts";
import { oidcWords } from "./oidc_config.ts";
import { outboundWords } from "./outbound_config.ts";
import { providerWords } from "./provider_config.ts";
import type { WordsOf } from "./setting_words.ts";
import { sourceWords } from "./source_config.ts";
import { telemetryWords } from "./telemetry_config.ts";

/** The documentation of every setting. */
export const SETTING_WORDS: WordsOf<typeof settingsSchema.entries> = {
  ...generalWords,
  ...backupWords,
  ...mailWords,
  ...sourceWords,
  ...channelWords,
  ...outboundWords,
  ...billingWords,
  ...providerWords,
  ...oidcWords,
  ...telemetryWords,
  ...eventWords,
};

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
    const star = (SECRETS as readonly string[]).includes(name) ? " *" : "";
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
