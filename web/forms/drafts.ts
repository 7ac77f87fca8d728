const KEY = "drafts";

type Draft = { account: string; values: unknown };
type OpenForm = { account: string; read: () => unknown };
const open = new Map<string, OpenForm>();

function stored(): Record<string, Draft> {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<string, Draft>;
}

function store(drafts: Record<string, Draft>): void {
  if (Object.keys(drafts).length === 0) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(drafts));
}

/**
 * Registers an open form under its draft's key and returns a function that removes it. `read` returns the input, or
 * undefined when there is nothing to keep.
 */
export function openDraft(key: string, form: OpenForm): () => void {
  open.set(key, form);
  return () => {
    if (open.get(key) === form) open.delete(key);
  };
}

/** The session has ended: keeps the input of all open forms in this tab until the same account logs in again. */
export function keepDrafts(): void {
  const drafts = stored();
  for (const [key, { account, read }] of open) {
    const values = read();
    if (values !== undefined) drafts[key] = { account, values };
  }
  store(drafts);
}

export function hasDraft(key: string): boolean {
  return stored()[key] !== undefined;
}

/** The draft under this key, on the first call only and only for the account that typed it. */
export function takeDraft(key: string, account: string): unknown {
  const { [key]: draft, ...others } = stored();
  store(others);
  return draft?.account === account ? draft.values : undefined;
}

/** Deletes the drafts of all other accounts. */
export function dropDrafts(account: string): void {
  store(Object.fromEntries(Object.entries(stored()).filter(([, draft]) => draft.account === account)));
}
