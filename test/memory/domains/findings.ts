import {
  type Finding,
  isOpen,
  type Mailbox,
  type Sight,
  type StoredFinding,
  shownCount,
  showsSensitive,
} from "../../../src/domains/finding.ts";
import type { FindingRepository } from "../../../src/domains/ports.ts";
import type { MemoryTables } from "../database.ts";

/** The findings of one address. */
type Row = { domain: string; alias: string; list: StoredFinding[] };
const byAlias = (a: { alias: string }, b: { alias: string }) => (a.alias < b.alias ? -1 : 1);
const putOffLast = (a: Mailbox, b: Mailbox) => (a.putOffAt?.getTime() ?? 0) - (b.putOffAt?.getTime() ?? 0);

export function memoryFindings(tables: MemoryTables): FindingRepository {
  const findings = tables<Row>("domains.finding");
  const mailboxes = tables<Mailbox>("domains.mailbox");
  const keyOf = (domain: string, alias: string) => `${alias}@${domain}`;
  const of = (domain: string) => mailboxes.filter((row) => row.domain === domain).toSorted(byAlias);
  const find = (domain: string, alias: string) => mailboxes.get(keyOf(domain, alias));
  const findingsOf = (domain: string, alias: string) => findings.get(keyOf(domain, alias))?.list ?? [];
  const isSame = (one: Finding) => (other: Finding) => one.kind === other.kind && one.name === other.name;

  function change(domain: string, alias: string, values: Partial<Mailbox>): boolean {
    const found = find(domain, alias);
    if (found) mailboxes.set(keyOf(domain, alias), { ...found, ...values });
    return found !== undefined;
  }
  function recount(domain: string, alias: string, kind: Mailbox["kind"]): void {
    const all = findingsOf(domain, alias);
    const counts = {
      plain: all.filter(({ sensitive }) => !sensitive).length,
      sensitive: all.filter(({ sensitive }) => sensitive).length,
      latestAt: new Date(Math.max(...all.map(({ foundAt }) => foundAt.getTime()))),
    };
    if (change(domain, alias, counts)) return;
    const nothing = {
      toldAt: undefined,
      newsAt: undefined,
      putOffAt: undefined,
      language: undefined,
      takenAt: undefined,
    };
    mailboxes.set(keyOf(domain, alias), { domain, alias, kind, ...counts, ...nothing, say: "standard" });
  }
  /** The findings of a domain that are shown, with their addresses. */
  const shownOf = (domain: string, sight: Sight) =>
    of(domain).flatMap((mailbox) =>
      findingsOf(domain, mailbox.alias)
        .filter(({ sensitive }) => isOpen(mailbox) && (!sensitive || showsSensitive(mailbox, sight)))
        .map((finding) => ({ mailbox, finding })),
    );

  return {
    async add(domain, given, { sensitive, kinds, otherwise, at }) {
      let added = 0;
      for (const finding of given) {
        const { alias, kind, name } = finding;
        const list = findingsOf(domain, alias);
        if (list.some(isSame(finding))) continue;
        const isSensitive = kind === "site" || sensitive.includes(name);
        list.push({ alias, kind, name, sensitive: isSensitive, foundAt: at });
        findings.set(keyOf(domain, alias), { domain, alias, list });
        recount(domain, alias, kinds[alias] ?? otherwise);
        added += 1;
      }
      return added;
    },
    async markSensitive(domain, sensitive) {
      for (const row of findings.filter((one) => one.domain === domain)) {
        const { alias } = row;
        const list = row.list.map((one) =>
          one.kind === "breach" ? { ...one, sensitive: sensitive.includes(one.name) } : one,
        );
        findings.set(keyOf(domain, alias), { ...row, list });
        recount(domain, alias, "person");
      }
    },
    // Counted when it is read.
    summarise: async () => {},
    async page(domain, { filter, after = "", limit, ...sight }) {
      const { breach } = filter;
      const isIn = (mailbox: Mailbox) =>
        findingsOf(domain, mailbox.alias).some(
          ({ kind, name, sensitive }) =>
            kind === "breach" && name === breach && (!sensitive || showsSensitive(mailbox, sight)),
        );
      return of(domain)
        .filter(
          (mailbox) =>
            shownCount(mailbox, sight) > 0 &&
            mailbox.alias > after &&
            (filter.kind === undefined || filter.kind === mailbox.kind) &&
            (breach === undefined || isIn(mailbox)) &&
            mailbox.alias.includes(filter.search),
        )
        .slice(0, limit)
        .map((mailbox) => {
          const { alias, kind, say, takenAt } = mailbox;
          return { alias, kind, say, takenAt, shown: shownCount(mailbox, sight) };
        });
    },
    async counts(domain, sight) {
      const all = of(domain);
      const shown = (kind: Mailbox["kind"]) =>
        all.filter((mailbox) => mailbox.kind === kind && shownCount(mailbox, sight) > 0).length;
      const isUntold = ({ kind, toldAt, say, plain }: Mailbox) =>
        kind === "person" && toldAt === undefined && say !== "nothing" && plain > 0;
      return {
        person: shown("person"),
        role: shown("role"),
        alias: shown("alias"),
        untold: all.filter(isUntold).length,
        withheld: all.filter(({ say }) => say === "nothing").length,
      };
    },
    async lastCovered(domain, sight, most) {
      const shown = of(domain).filter((mailbox) => shownCount(mailbox, sight) > 0);
      if (shown.length <= most) return undefined;
      return shown[most - 1]?.alias ?? "";
    },
    async breaches(domain, sight) {
      const all = shownOf(domain, sight).filter(({ finding }) => finding.kind === "breach");
      return [...Map.groupBy(all, ({ finding }) => finding.name)]
        .map(([name, some]) => ({
          name,
          addresses: some.length,
          latestAt: new Date(Math.max(...some.map(({ finding }) => finding.foundAt.getTime()))),
        }))
        .toSorted((a, b) => b.addresses - a.addresses || (a.name < b.name ? -1 : 1));
    },
    findMailbox: async (domain, alias) => find(domain, alias),
    listOf: async (domain, aliases) =>
      [...new Set(aliases)]
        .flatMap((alias) => findingsOf(domain, alias))
        .toSorted(
          (a, b) =>
            b.foundAt.getTime() - a.foundAt.getTime() ||
            (JSON.stringify([a.alias, a.kind, a.name]) < JSON.stringify([b.alias, b.kind, b.name]) ? -1 : 1),
        ),
    async countNews(domain, sight, { from, until }) {
      const isThen = (time: Date | undefined) => time !== undefined && time >= from && time < until;
      const news = shownOf(domain, sight).filter(
        ({ mailbox, finding }) => isThen(finding.foundAt) || isThen(mailbox.toldAt),
      );
      return { findings: news.length, addresses: new Set(news.map(({ mailbox }) => mailbox.alias)).size };
    },
    listBehind: async (domain, limit) =>
      of(domain)
        .filter(({ toldAt, takenAt }) => toldAt !== undefined && takenAt === undefined)
        .filter(({ newsAt, latestAt }) => newsAt !== undefined && latestAt > newsAt)
        .toSorted((a, b) => putOffLast(a, b) || a.latestAt.getTime() - b.latestAt.getTime() || byAlias(a, b))
        .slice(0, limit),
    markNews: async (domain, alias, at) => void change(domain, alias, { newsAt: at, putOffAt: undefined }),
    listUntold: async (domain, limit) =>
      of(domain)
        .filter((row) => row.kind === "person" && row.toldAt === undefined && row.say !== "nothing")
        .filter(({ plain, sensitive }) => plain + sensitive > 0)
        .toSorted((a, b) => putOffLast(a, b) || b.plain + b.sensitive - (a.plain + a.sensitive) || byAlias(a, b))
        .slice(0, limit),
    async markTold(domain, alias, { at, language }) {
      if (find(domain, alias)?.toldAt) return false;
      return change(domain, alias, { toldAt: at, newsAt: at, putOffAt: undefined, language });
    },
    putOff: async (domain, alias, at) => void change(domain, alias, { putOffAt: at }),
    setKind: async (domain, alias, kind) => change(domain, alias, { kind }),
    async setUntoldKind(domain, kind) {
      const from = kind === "alias" ? "person" : "alias";
      for (const row of of(domain))
        if (row.kind === from && !row.toldAt && !row.takenAt) change(domain, row.alias, { kind });
    },
    setSay: async (domain, alias, say, takenAt) => change(domain, alias, { say, takenAt }),
    async removeFindings(domain) {
      findings.removeWhere((row) => row.domain === domain);
      mailboxes.removeWhere((row) => row.domain === domain && !row.toldAt && !row.takenAt);
      for (const { alias } of of(domain)) change(domain, alias, { plain: 0, sensitive: 0 });
    },
    forget: async (domain) => void mailboxes.removeWhere((row) => row.domain === domain),
  };
}
