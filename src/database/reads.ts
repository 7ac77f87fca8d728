/** All but what takes a lock. */
const READ = /^select\b(?!.*(?:\bfor (?:update|no key update|share|key share)\b|\bpg_(?:try_)?advisory))/s;

/** Statements are asked again and again, and to read a long one to its end takes its time; those of lists differ from each other. */
const MOST_KNOWN = 500;
const known = new Map<string, boolean>();

/**
 * Whether a statement changes nothing and holds nothing. Such a one needs no transaction around it: each statement sees what was
 * committed when it began, within a transaction as without. So one begins with the first statement that is no mere read, and
 * what only reads is spared BEGIN and COMMIT.
 */
export function isRead(statement: string): boolean {
  const said = known.get(statement);
  if (said !== undefined) return said;
  const is = READ.test(statement);
  if (known.size === MOST_KNOWN) known.clear();
  known.set(statement, is);
  return is;
}

/** What a transaction of one write answers to another. */
export const SECOND_WRITE = "Cannot write twice in a transaction of one write";
