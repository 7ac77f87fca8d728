/** Documentation of one setting, in Markdown. */
export type SettingWords = {
  /** What it does, as a phrase without a full stop. */
  says: string;
  /** The effective default where the schema has none; absent: the setting is off. */
  standard?: string;
  /** When it is required: "in production", or "with" another setting. */
  required?: string;
  /** Described by another row of the table, and so left out of it. */
  isRepeated?: boolean;
};

/** Documentation for each setting of a schema; the type makes it complete. */
export type WordsOf<Entries> = Record<keyof Entries, SettingWords>;
