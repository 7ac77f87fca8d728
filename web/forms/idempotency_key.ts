import { useRef } from "react";

/** A placeholder for validation; the real key is added when the form is sent. */
export const NO_KEY = "00000000-0000-4000-8000-000000000000";

/** A random idempotency key, a UUID. `randomUUID` is missing on plain http. */
export function newKey(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"));
  return [4, 6, 8, 10].reduceRight((id, at) => `${id.slice(0, at * 2)}-${id.slice(at * 2)}`, hex.join(""));
}

/**
 * Returns an idempotency key: the same for the same content, so that the server recognises a retry, and a new one when
 * the content has changed.
 */
export function useSentKey() {
  const last = useRef({ content: "", key: "" });
  return (values: unknown): string => {
    const content = JSON.stringify(values);
    if (last.current.content !== content) last.current = { content, key: newKey() };
    return last.current.key;
  };
}
