import { MAX_ALIASES } from "../shared/aliases.ts";
import { normaliseEmail } from "../shared/email_address.ts";
import { MAX_BULK_TEXT } from "./inputs.ts";
import { cellsOf, pastedAddresses } from "./pasted_addresses.ts";

/** The column with the alias in the exports of SimpleLogin (`alias,note,enabled,mailboxes`) and of addy.io (`email`, among others). */
const ALIAS_COLUMNS = ["alias", "email"];
const LINE_END = /\r\n|[\r\n]/;
/** More than an export of all aliases that could be added has, also with notes of several lines. */
const MAX_LINES = 5000;

/** What a list has: addresses, normalised and each once, and the number of lines without one. */
export type AliasesRead = { addresses: string[]; bad: number };

/**
 * The addresses of an export or of any other list. Of an export only the column of aliases counts: the others name the mailboxes
 * behind them. Undefined for a list that is longer than any that could be added.
 */
export function aliasesIn(text: string): AliasesRead | undefined {
  const column = columnOf(text);
  const read = column === undefined ? inText(text) : inColumn(text, column);
  return read && read.addresses.length <= MAX_ALIASES ? read : undefined;
}

function inText(text: string): AliasesRead | undefined {
  if (text.length > MAX_BULK_TEXT) return undefined;
  const found = pastedAddresses(text);
  const addresses = new Set(found.flatMap(({ address }) => address ?? []));
  return { addresses: [...addresses], bad: found.filter(({ address }) => address === undefined).length };
}

/** Its place in the first line, if that is the heading of a table. */
function columnOf(text: string): number | undefined {
  const [first = ""] = text.replace(/^\uFEFF/, "").split(LINE_END, 1);
  const heading = cellsOf(first).map((cell) => cell.trim().toLowerCase());
  if (heading.length < 2) return undefined;
  const place = ALIAS_COLUMNS.map((name) => heading.indexOf(name)).find((at) => at >= 0);
  return place;
}

function inColumn(text: string, column: number): AliasesRead | undefined {
  const lines = text.split(LINE_END).slice(1);
  if (lines.length > MAX_LINES) return undefined;
  const cells = lines.filter((line) => line.trim() !== "").map((line) => cellsOf(line)[column] ?? "");
  const read = cells.map((cell) => normaliseEmail(cell));
  // A note that spans lines makes lines without an address of their own.
  const addresses = new Set(read.filter((address) => address !== undefined));
  return { addresses: [...addresses], bad: read.filter((address) => address === undefined).length };
}
