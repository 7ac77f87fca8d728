import type { ChangePasswordPages, PageAnswer, ServicePageRepository } from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";
import type { BreachRow } from "./rows.ts";

type Row = { domain: string; hasPage: boolean; failures: number; nextAt: Date };

export function memoryServicePages(tables: MemoryTables): ServicePageRepository {
  const breachRows = tables<BreachRow>("breaches.breach");
  const pageRows = tables<Row>("breaches.service_page");
  function change(domain: string, to: Partial<Row>): void {
    const row = pageRows.get(domain);
    if (row) pageRows.set(domain, { ...row, ...to });
  }
  return {
    async claimDue(limit, now, until) {
      const listed = breachRows.filter(({ breach, removedAt }) => removedAt === undefined && breach.domain !== "");
      const due = [...new Set(listed.map(({ breach }) => breach.domain.toLowerCase()))]
        .filter((domain) => (pageRows.get(domain)?.nextAt ?? now) <= now)
        .toSorted()
        .slice(0, limit);
      return due.map((domain) => {
        const { hasPage, failures } = pageRows.get(domain) ?? { hasPage: false, failures: 0 };
        pageRows.set(domain, { domain, hasPage, failures, nextAt: until });
        return { domain, failures };
      });
    },
    keep: async (domain, hasPage, nextAt) => change(domain, { hasPage, nextAt, failures: 0 }),
    postpone: async (domain, nextAt, failures) => change(domain, { nextAt, failures }),
    has: async (domain) => pageRows.get(domain)?.hasPage === true,
  };
}

/** Answers by domain; all others have no page. */
export function memoryChangePasswordPages(answers: Map<string, PageAnswer>): ChangePasswordPages & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async ask(domain) {
      asked.push(domain);
      return answers.get(domain) ?? { kind: "none" };
    },
  };
}
