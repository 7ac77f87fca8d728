/** Matches selects that take no lock. */
const READ = /^select\b(?!.*(?:\bfor (?:update|no key update|share|key share)\b|\bpg_(?:try_)?advisory))/s;

/** Size of the cache of classified statements; statements with lists can have many texts. */
const MOST_KNOWN = 500;
const known = new Map<string, boolean>();

/**
 * Whether a statement neither changes nor locks anything. Such a read needs no transaction: each statement sees what was
 * committed when it began, inside a transaction as outside (read committed). So BEGIN is sent with the first other statement,
 * and read-only work needs no BEGIN and COMMIT.
 */
export function isRead(statement: string): boolean {
  const said = known.get(statement);
  if (said !== undefined) return said;
  const is = READ.test(statement);
  if (known.size === MOST_KNOWN) known.clear();
  known.set(statement, is);
  return is;
}

/** The error of a second write in autocommit mode. */
export const SECOND_WRITE = "Cannot write twice in a transaction of one write";
