import type { DomainLookups, FoundByAlias, SourceTrouble } from "../../../ports.ts";

type Findings = Readonly<Record<string, readonly string[]>>;

/** Further addresses at the domains of the example addresses, with their breaches: fictitious as well. */
export const DOMAIN_ADDRESSES: Findings = {
  // Mailboxes of roles.
  "info@example.com": ["Apollo", "VerificationsIO", "Instagram"],
  "sales@example.com": ["Apollo", "Exactis"],
  "webmaster@example.org": ["Collection1", "Gravatar"],
  // Given to one service only, so that its name tells who lost it.
  "canva@example.com": ["Canva"],
  "ada+trello@example.com": ["Trello"],
  "wattpad@example.net": ["Wattpad"],
};

/** Sensitive breaches, which are found for whole domains only. */
const SENSITIVE: Findings = { "k.jones@example.com": ["AshleyMadison"] };

type Options = {
  addresses: Findings;
  sites: Findings;
  /** Calls with the names of the published breaches. */
  withPublished(work: (names: ReadonlySet<string>) => FoundByAlias): Promise<FoundByAlias | SourceTrouble>;
};

function byAlias(findings: Findings[], domain: string, isShown = (_: string) => true): FoundByAlias {
  const found = new Map<string, string[]>();
  for (const [address, all] of findings.flatMap(Object.entries<readonly string[]>)) {
    const names = all.filter(isShown);
    const at = address.lastIndexOf("@");
    if (names.length === 0 || address.slice(at + 1) !== domain) continue;
    const alias = address.slice(0, at);
    found.set(alias, [...(found.get(alias) ?? []), ...names]);
  }
  return { kind: "found", byAlias: found, leftOut: 0 };
}

/** Findings at the domains of the example addresses, without a network; every domain counts as verified. */
export function bundledDomains({ addresses, sites, withPublished }: Options): DomainLookups {
  const all = [addresses, DOMAIN_ADDRESSES, SENSITIVE];
  return {
    breachesOf: (domain) => withPublished((published) => byAlias(all, domain, (name) => published.has(name))),
    sitesOf: async (domain) => byAlias([sites], domain),
  };
}
