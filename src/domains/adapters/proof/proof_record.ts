import { Resolver } from "node:dns/promises";
import type { ProofLook } from "../../proof_ports.ts";

/** The strings of all records that are read; a record has many strings only when it is long. */
const MOST_STRINGS = 500;
/** One try of one server; the resolver waits longer for the next. */
const TRY = { timeout: 2000, tries: 2 };
/** What a name server answers where there is no such name, or no such record at it. */
const NONE = ["ENOTFOUND", "ENODATA"];

/**
 * Whether the value is one string of a record, or several in a row: Bun returns each string of a record as a record of its own.
 */
export function hasString(records: string[][], value: string): boolean {
  const strings = records.flat().slice(0, MOST_STRINGS);
  return strings.some((_, start) => {
    let joined = "";
    for (const string of strings.slice(start)) {
      joined += string;
      if (joined.trim() === value) return true;
      if (!value.startsWith(joined.trimStart())) return false;
    }
    return false;
  });
}

/** Looks for a TXT record with the value; asks the system's name servers unless there are others. */
export async function lookInDns(
  name: string,
  value: string,
  { servers, timeoutMs }: { servers: string[] | undefined; timeoutMs: number },
): Promise<ProofLook> {
  const resolver = new Resolver(TRY);
  if (servers) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    return { kind: hasString(await resolver.resolveTxt(name), value) ? "found" : "missing" };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    if (NONE.includes(code)) return { kind: "missing" };
    const isLate = code === "ECANCELLED" || code === "ETIMEOUT";
    return { kind: "unreachable", reason: isLate ? "no name server answered in time" : `the name server: ${code}` };
  } finally {
    clearTimeout(late);
  }
}
