/** Tells a spreadsheet that the file is UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** What a spreadsheet takes for the beginning of a formula, also in full width, or skips before one. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** One record of RFC 4180. A cell that could be a formula becomes text by an apostrophe (OWASP, CSV injection). */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
