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

/** A form that is open now; `read` gives what was typed, or undefined when there is nothing to keep. */
export function openDraft(key: string, form: OpenForm): () => void {
  open.set(key, form);
  return () => {
    if (open.get(key) === form) open.delete(key);
  };
}

/** The session ended under the open forms: what was typed waits in this tab for the login of the same account. */
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

/** What was typed, once, and only for who typed it. */
export function takeDraft(key: string, account: string): unknown {
  const { [key]: draft, ...others } = stored();
  store(others);
  return draft?.account === account ? draft.values : undefined;
}

/** Forgets the drafts of everybody but `account`. */
export function dropDrafts(account: string): void {
  store(Object.fromEntries(Object.entries(stored()).filter(([, draft]) => draft.account === account)));
}
