/** What the operator reads of a setting, in the README's Markdown. */
export type SettingWords = {
  /** What it does, as a phrase without a full stop. */
  says: string;
  /** What holds where it is not set and its schema has no default of its own; nothing does if absent. */
  standard?: string;
  /** When it has to be set: "in production", or "with" what else is set. */
  required?: string;
};

/** Words for each setting of a schema, so that none is forgotten. */
export type WordsOf<Entries> = Record<keyof Entries, SettingWords>;
