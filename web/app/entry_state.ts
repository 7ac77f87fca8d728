import { useState } from "react";

/** The value under `key` in the state of the browser's history entry. */
export const entryState = (key: string): unknown => globalThis.history?.state?.[key];

/** Stores a value in the state of the browser's history entry, optionally with a new address for the entry. */
export function setEntryState(key: string, value: unknown, url?: string): void {
  history.replaceState({ ...history.state, [key]: value }, "", url);
}

/** State that is kept in the history entry, so that a reload and the back button restore it. */
export function useEntryState<T>(key: string, initial: T): [T, (next: T) => void] {
  const [value, setValue] = useState(() => (entryState(key) as T | undefined) ?? initial);
  function set(next: T) {
    setEntryState(key, next);
    setValue(next);
  }
  return [value, set];
}
