import { dataClassKey } from "../../shared/breach.ts";
import { BYTE_ORDER_MARK, csvRecord, separatorOf } from "../../shared/csv.ts";
import type { Language } from "../../shared/language.ts";
import { PRODUCT } from "../../shared/product.ts";
import { ok, type Result } from "../../shared/result.ts";
import { severityOf } from "../../shared/severity.ts";
import { shownAddress } from "../../shared/shown_address.ts";
import { creditsOf } from "../../shared/sources.ts";
import type { BreachDeps, Translate } from "../ports.ts";
import { type AlertSelection, filterOf } from "./alert_list.ts";
import { type AlertView, viewOf } from "./alerts.ts";

/** Alerts per page of the export. */
const PAGE = 200;

export type AlertsFile = { name: string; chunks: AsyncIterable<string> };

/** Exports the table of alerts as a file. */
export function alertsCsv({ transaction, translate, now, report }: BreachDeps) {
  async function rowsOf(accountId: string, ids: string[]): Promise<AlertView[]> {
    const found = await transaction(({ alerts }) => alerts.findAll(accountId, ids));
    const places = new Map(ids.map((id, place) => [id, place]));
    return found.map(viewOf).toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
  }

  return {
    /**
     * Everything the table would show over all its pages, in its order. The ids are selected at once; each alert is exported in
     * the state of the moment its page is read, and left out if it has been deleted by then.
     */
    async exportAlerts(accountId: string, selection: AlertSelection, language: Language): Promise<Result<AlertsFile>> {
      const at = now();
      const ids = await transaction(async (store) =>
        store.alerts.listIds(accountId, await filterOf(store, { accountId, selection, now: at })),
      );
      const columns = columnsOf(wordsOf(translate, language), at);
      const separator = separatorOf(language);
      const recordsOf = (rows: AlertView[]) =>
        rows
          .map((row) =>
            csvRecord(
              columns.map(([, cell]) => cell(row)),
              separator,
            ),
          )
          .join("");
      const headings = csvRecord(
        columns.map(([heading]) => heading),
        separator,
      );
      // Read before the response starts, while an error can still be returned.
      const first = await rowsOf(accountId, ids.slice(0, PAGE));

      async function* chunks() {
        yield BYTE_ORDER_MARK + headings + recordsOf(first);
        try {
          for (let from = PAGE; from < ids.length; from += PAGE)
            yield recordsOf(await rowsOf(accountId, ids.slice(from, from + PAGE)));
        } catch (error) {
          report(error, { writing: "alerts.csv" });
          throw error;
        }
      }
      return ok({ name: `${PRODUCT.toLowerCase()}-alerts-${at.toISOString().slice(0, 10)}.csv`, chunks: chunks() });
    },
  };
}

type Words = ReturnType<typeof wordsOf>;
type Column = [heading: string, cell: (alert: AlertView) => string];

function wordsOf(translate: Translate, language: Language) {
  const say = (key: string) => translate(language, key);
  return {
    say,
    // Some items contain commas.
    list: (items: string[]) => items.join("; "),
    /** Unknown labels are exported as the source writes them. */
    category: (label: string) => {
      const key = `data_classes.${dataClassKey(label)}`;
      return translate.has(language, key) ? say(key) : label;
    },
  };
}

function columnsOf({ say, list, category }: Words, now: Date): Column[] {
  const heading = (name: string) => say(`alerts_csv.${name}`);
  return [
    [heading("address"), ({ address }) => shownAddress(address)],
    [heading("service"), ({ breach }) => breach?.title ?? heading("undisclosed")],
    [heading("domain"), ({ breach }) => breach?.domain ?? ""],
    [heading("happened"), ({ breach }) => breach?.breachDate ?? ""],
    [heading("known"), ({ breach }) => breach?.addedDate.slice(0, 10) ?? ""],
    [heading("found"), ({ raisedAt }) => momentOf(raisedAt)],
    [heading("worsened"), ({ worsenedAt }) => momentOf(worsenedAt)],
    [heading("status"), ({ state }) => heading(state)],
    [heading("handled_at"), ({ handledAt }) => momentOf(handledAt)],
    [heading("reason"), ({ reason }) => (reason === null ? "" : say(`handling.${reason}`))],
    [heading("note"), ({ note }) => note ?? ""],
    [heading("seriousness"), ({ breach }) => (breach ? say(`seriousness.level_${severityOf(breach, now).level}`) : "")],
    [heading("categories"), ({ breach }) => list(breach?.dataClasses.map(category) ?? [])],
    [heading("flags"), ({ breach }) => list(breach?.flags.map((flag) => say(`flags.${flag}_label`)) ?? [])],
    [heading("accounts"), ({ breach }) => (breach && breach.pwnCount > 0 ? String(breach.pwnCount) : "")],
    [heading("source"), (alert) => (alert.breach ? list(creditsIn(alert, say)) : "")],
    // Last, as programs may count the columns.
    [heading("found_under"), ({ foundUnder }) => list(foundUnder.map((found) => shownAddress(found.address)))],
  ];
}

/** Attributions that the licences of the data require. */
function creditsIn(alert: AlertView, say: Words["say"]): string[] {
  return creditsOf([alert], []).map(({ name, url, licence }) =>
    [name ?? say("sources.own_list"), licence && `(${licence.name})`, url].filter(Boolean).join(" "),
  );
}

/** In UTC, in a format that spreadsheets recognise. */
function momentOf(iso: string | null): string {
  return iso === null ? "" : iso.slice(0, 19).replace("T", " ");
}
