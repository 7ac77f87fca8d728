import { createHash } from "node:crypto";
import { causeOf, readUpTo } from "../../../shared/http_response.ts";
import { isLoopbackHost } from "../../../shared/loopback.ts";
import type { BreachedPasswords } from "../../ports.ts";

export type PwnedPasswordsOptions = {
  /** Such as `https://api.pwnedpasswords.com`. */
  baseUrl: string;
  userAgent: string;
  /** Tells the operator that the service could not be asked. */
  warn: (says: string, context: Record<string, unknown>) => void;
  timeoutMs?: number;
};

const PREFIX_DIGITS = 5;
/** Far more than the 1,000 lines of a padded answer. */
const BODY_LIMIT = 256 * 1024;
const TIMEOUT_MS = 2000;
const LINE = /^([0-9A-F]{35}): *(\d+)$/i;

/**
 * Pwned Passwords by Have I Been Pwned (API version 3, "Searching by range"): only the first five hexadecimal digits of the
 * password's SHA-1 hash leave this server, and padding hides the length of the answer. Throws for a base URL that is not https.
 */
export function pwnedPasswords(options: PwnedPasswordsOptions): BreachedPasswords {
  const { userAgent, warn, timeoutMs = TIMEOUT_MS } = options;
  const base = new URL(options.baseUrl);
  if (base.protocol !== "https:" && !isLoopbackHost(base.hostname))
    throw new Error(
      `Cannot use the Pwned Passwords base URL "${base.origin}": it must be https, except on this machine`,
    );

  async function answerTo(prefix: string): Promise<{ suffixes: Set<string> } | { trouble: string }> {
    const response = await fetch(`${base.origin}${base.pathname.replace(/\/+$/, "")}/range/${prefix}`, {
      headers: { accept: "text/plain", "add-padding": "true", "user-agent": userAgent },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { trouble: `unexpected status ${response.status}` };
    }
    const bytes = await readUpTo(response, BODY_LIMIT);
    const suffixes = bytes && suffixesIn(new TextDecoder().decode(bytes));
    return suffixes ? { suffixes } : { trouble: "the answer is no list of hashes" };
  }

  return {
    async has(password) {
      const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
      const answer = await answerTo(hash.slice(0, PREFIX_DIGITS)).catch((error) => ({ trouble: causeOf(error) }));
      if ("suffixes" in answer) return answer.suffixes.has(hash.slice(PREFIX_DIGITS));
      warn("Cannot ask Pwned Passwords; only the other rules for passwords apply", { reason: answer.trouble });
      return false;
    },
  };
}

/** The rest of each hash that occurred in a breach, in upper case; padding has a count of zero. */
function suffixesIn(text: string): Set<string> | undefined {
  const lines = text
    .trim()
    .split(/\r?\n/)
    .map((line) => LINE.exec(line.trim()));
  if (lines.includes(null)) return undefined;
  return new Set(lines.flatMap((line) => (Number(line?.[2]) > 0 ? [line?.[1]?.toUpperCase() ?? ""] : [])));
}
