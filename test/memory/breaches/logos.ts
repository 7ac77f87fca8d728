import type { Alert, LogoAnswer, LogoRepository, LogoSource } from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";
import type { BreachRow, LogoRow } from "./rows.ts";

export function memoryLogos(tables: MemoryTables): LogoRepository {
  const breachRows = tables<BreachRow>("breaches.breach");
  const alertRows = tables<Alert>("breaches.alert");
  const logoRows = tables<LogoRow>("breaches.logo");

  return {
    async claimDue(limit, now, until) {
      const listed = breachRows.filter((row) => row.removedAt === undefined && row.breach.logoPath !== "");
      const alerted = new Set(alertRows.filter().map(({ breachName }) => breachName));
      const rank = (path: string) =>
        listed.some(({ breach }) => breach.logoPath === path && alerted.has(breach.name)) ? 0 : 1;
      const due = [...new Set(listed.map(({ breach }) => breach.logoPath))]
        .filter((path) => (logoRows.get(path)?.nextAt ?? now) <= now)
        .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
        .slice(0, limit);
      return due.map((path) => {
        const { kept, etag, failures } = logoRows.get(path) ?? { kept: undefined, etag: undefined, failures: 0 };
        logoRows.set(path, { path, kept, etag, failures, nextAt: until });
        return { path, etag, failures };
      });
    },
    async keep(path, logo, nextAt) {
      logoRows.set(path, { path, kept: logo, etag: logo.etag, failures: 0, nextAt });
    },
    async postpone(path, nextAt, failures) {
      const row = logoRows.get(path);
      if (row) logoRows.set(path, { ...row, nextAt, failures });
    },
    async find(file) {
      const kept = logoRows.find((row) => row.kept?.file === file)?.kept;
      return kept && { type: kept.type, bytes: kept.bytes };
    },
    async filesOf(names) {
      const found = names.flatMap((name): [string, string][] => {
        const path = breachRows.get(name)?.breach.logoPath;
        const file = path === undefined ? undefined : logoRows.get(path)?.kept?.file;
        return file === undefined ? [] : [[name, file]];
      });
      return new Map(found);
    },
  };
}

/** A source of logos without a network: `answers` are by path, all other logos are missing. */
export function memoryLogoSource(answers: Map<string, LogoAnswer>): LogoSource & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async ask(path, etag) {
      asked.push(path);
      const answer = structuredClone(answers.get(path) ?? ({ kind: "missing" } as const));
      return answer.kind === "logo" && etag !== undefined && answer.etag === etag ? { kind: "unchanged" } : answer;
    },
  };
}
