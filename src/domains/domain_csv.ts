import { BYTE_ORDER_MARK, csvRecord, separatorOf } from "../shared/csv.ts";
import type { Language } from "../shared/language.ts";
import { PRODUCT } from "../shared/product.ts";
import { ok, type Result } from "../shared/result.ts";
import { shownAddress } from "../shared/shown_address.ts";
import type { DomainDeps, MailboxFilter } from "./ports.ts";
import { type DomainRow, type Refusal, showing } from "./showing.ts";

export type DomainFile = { name: string; chunks: AsyncIterable<string> };

/** Exports the found addresses of a domain as a file. */
export function domainCsv(deps: DomainDeps) {
  const { translate, now, report } = deps;
  const { everyAddress } = showing(deps);

  return {
    /** Everything that the list would show over all its pages. */
    async exportDomain(
      accountId: string,
      id: string,
      { filter, language }: { filter: MailboxFilter; language: Language },
    ): Promise<Result<DomainFile, Refusal>> {
      const all = await everyAddress(accountId, id, filter);
      if (!all.ok) return all;
      const { domain, pages } = all.value;
      const say = (key: string) => translate(language, `domains_csv.${key}`);
      const separator = separatorOf(language);
      const columns: [string, (row: DomainRow) => string][] = [
        [say("address"), ({ alias }) => shownAddress(`${alias}@${domain}`)],
        [say("kind"), ({ kind }) => say(`kind_${kind}`)],
        [say("count"), ({ breaches, sites }) => String(breaches.length + sites.length)],
        [say("breaches"), ({ breaches }) => breaches.map(({ title }) => title).join("; ")],
        [say("sites"), ({ sites }) => sites.join("; ")],
        [say("leaker"), ({ breaches, leaker }) => breaches.find(({ name }) => name === leaker)?.title ?? ""],
      ];
      const recordOf = (row: DomainRow) =>
        csvRecord(
          columns.map(([, cell]) => cell(row)),
          separator,
        );
      const headings = csvRecord(
        columns.map(([heading]) => heading),
        separator,
      );
      // Read before the response starts, while an error can still be returned.
      const first = await pages.next();

      async function* chunks() {
        yield BYTE_ORDER_MARK + headings + (first.done ? "" : first.value.map(recordOf).join(""));
        try {
          for await (const rows of pages) yield rows.map(recordOf).join("");
        } catch (error) {
          report(error, { writing: "addresses.csv" });
          throw error;
        }
      }
      return ok({
        name: `${PRODUCT.toLowerCase()}-${domain}-${now().toISOString().slice(0, 10)}.csv`,
        chunks: chunks(),
      });
    },
  };
}
