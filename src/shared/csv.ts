import type { Language } from "./language.ts";

/** Makes spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** Characters that start a formula in a spreadsheet, in full width too, or are skipped before one. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

export type Separator = "," | ";";

/** The separator that spreadsheets expect: a semicolon where the comma separates decimals. */
export function separatorOf(language: Language): Separator {
  return language === "en" ? "," : ";";
}

/** One record of RFC 4180. Cells that could be formulas are prefixed with an apostrophe (OWASP, CSV injection). */
export function csvRecord(cells: readonly string[], separator: Separator): string {
  return `${cells.map(csvCell).join(separator)}\r\n`;
}

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
