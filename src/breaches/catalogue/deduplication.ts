import { normalised } from "../../shared/unicode.ts";
import { type AlikeBreach, nameOf } from "./breach.ts";

/** Sources date the same breach by its day, its month or the day it became known. */
const CLOSE_MS = 183 * 24 * 3_600_000;

type Comparable = { domain: string; titles: Set<string>; month: string; time: number; isSensitive: boolean };

/** Normalises a domain for comparison: sources write URLs, capitals and "www.". */
export function comparableDomain(domain: string): string {
  const host = domain
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z+.-]*:\/\//, "");
  return host
    .replace(/[/?#:].*$/, "")
    .replace(/\.$/, "")
    .replace(/^www\./, "");
}

/** Letters and digits of any script: "MyFitnessPal", "My Fitness Pal" and "my-fitness-pal" are equal. */
function comparableTitle(title: string): string {
  return normalised(title, "NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function comparable({ name, title, domain, breachDate, flags }: AlikeBreach): Comparable {
  const titles = [nameOf(name).name, title].map(comparableTitle).filter((text) => text !== "");
  return {
    domain: comparableDomain(domain),
    titles: new Set(titles),
    month: breachDate?.slice(0, 7) ?? "",
    time: Date.parse(breachDate ?? ""),
    isSensitive: flags.includes("sensitive"),
  };
}

/**
 * Whether entries of two sources are the same breach: the same domain and month, or the same title at about the same time without
 * conflicting domains. In doubt they are not; a sensitive breach is never linked to one that is not.
 */
function areAlike(own: Comparable, known: Comparable): boolean {
  if (own.isSensitive && !known.isSensitive) return false;
  if (own.domain !== known.domain && own.domain !== "" && known.domain !== "") return false;
  if (own.domain === known.domain && own.domain !== "" && own.month !== "" && own.month === known.month) return true;
  return Math.abs(own.time - known.time) <= CLOSE_MS && !own.titles.isDisjointFrom(known.titles);
}

/** The pairs whose members occur in no other pair. */
function unambiguous(pairs: [string, string][]): [string, string][] {
  const counts = new Map<string, number>();
  for (const name of pairs.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return pairs.filter((pair) => pair.every((name) => counts.get(name) === 1));
}

/**
 * For each entry with a source's own name that is not linked yet: the same breach under HIBP's name or, failing that, of an
 * earlier source. Ambiguous matches, on either side, are not linked.
 */
export function linksOf(breaches: AlikeBreach[]): Map<string, string> {
  const sourceOf = ({ name }: AlikeBreach) => nameOf(name).source ?? "";
  const sources = [...new Set(breaches.map(sourceOf))].toSorted();
  const prepared = breaches.map((breach) => ({ breach, ...comparable(breach) }));
  const links = new Map<string, string>();
  const isFree = ({ name, sameAs }: AlikeBreach) => sameAs === undefined && !links.has(name);
  for (const [rank, source] of sources.entries()) {
    const ofSource = prepared.filter(({ breach }) => sourceOf(breach) === source);
    const taken = new Set(ofSource.map(({ breach }) => breach.sameAs));
    for (const before of sources.slice(0, rank)) {
      const own = ofSource.filter(({ breach }) => isFree(breach));
      const known = prepared.filter(
        ({ breach }) => sourceOf(breach) === before && isFree(breach) && !taken.has(breach.name),
      );
      const pairs = own.flatMap((one) =>
        known
          .filter((other) => areAlike(one, other))
          .map((other) => [one.breach.name, other.breach.name] as [string, string]),
      );
      for (const [name, sameAs] of unambiguous(pairs)) links.set(name, sameAs);
    }
  }
  return links;
}
