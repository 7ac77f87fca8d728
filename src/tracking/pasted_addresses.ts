import { EMAIL_TYPED_MAX, normaliseEmail } from "../shared/email_address.ts";
import { trimmed } from "../shared/unicode.ts";

/** An address, or a text in its place, in a pasted or uploaded list. Lines are counted from 1. */
export type PastedAddress = { line: number; text: string; address: string | undefined };

const LONGEST_SHOWN = 120;
const LINE_END = /\r\n|[\r\n\u2028\u2029]/;
/** A line for Excel that names the separator. */
const SEPARATOR_LINE = /^sep=.$/i;
/** The name of an address column, in the languages of the product, as mail programs and spreadsheets write it. */
const HEADING =
  /^(?:(?:your |primary )?e-?mail|mail|address|adresse|courriel|indirizzo|posta elettronica|correo|direcci[oó]n|correio|endere[cç]o)(?=$|[\s\d_-])/iu;
const SEPARATORS = new Set(",;\t，；、");
const BETWEEN_WORDS = /[\s<>,;，；、]+/;
/** What stands around an address in running text, but never in one. */
const AROUND = /^(?:mailto:|[()[\]"“”„«»‹›:.])+|[()[\]"“”„«»‹›:.!?]+$/gi;

/** The cells of a line; quotes hold separators, and are doubled within quotes (RFC 4180). */
export function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let [cell, isQuoted] = ["", false];
  for (let at = 0; at < line.length; at++) {
    const [char = "", next] = [line[at], line[at + 1]];
    if (isQuoted && char === '"' && next === '"') cell += line[at++];
    // A quoted local part stays one: it is no address that we take.
    else if (isQuoted && char === '"') [cell, isQuoted] = [next === "@" ? `${cell}"` : cell, false];
    else if (char === '"' && cell.trim() === "") [cell, isQuoted] = ["", true];
    else if (!isQuoted && SEPARATORS.has(char)) {
      cells.push(cell);
      cell = "";
    } else cell += char;
  }
  return isQuoted ? line.split(BETWEEN_WORDS) : [...cells, cell];
}

/** The words of a cell that are meant as addresses: those with an at sign, without what is around them. */
function addressesIn(cell: string): string[] {
  const words = cell.split(BETWEEN_WORDS).filter((word) => word.includes("@"));
  return words.map((word) => {
    if (word.length > EMAIL_TYPED_MAX) return word;
    // The parameters of a `mailto:` link.
    return trimmed(word)
      .replace(AROUND, "")
      .replace(/(@[^?]*)\?.*$/, "$1");
  });
}

/**
 * Every address of the text, which may be separated by lines, commas, semicolons, spaces or tabs, follow a name
 * (`Ada <ada@example.org>`) or `mailto:`, or be cells of a table, in any of its columns. A line without any address counts as one
 * invalid address; headings of tables are left out.
 */
export function pastedAddresses(text: string): PastedAddress[] {
  const lines = text.split(LINE_END).map((content, index) => ({
    line: index + 1,
    content: trimmed(content),
    cells: cellsOf(trimmed(content)).map(trimmed),
  }));
  const filled = lines.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const isSeparatorLine = SEPARATOR_LINE.test(filled[0]?.content ?? "");
  return filled.slice(isSeparatorLine ? 1 : 0).flatMap(({ line, cells }, index) => {
    const found = cells.flatMap(addressesIn);
    if (found.length === 0 && index === 0 && cells.some((cell) => HEADING.test(cell))) return [];
    const texts = found.length > 0 ? found : [cells.find((cell) => cell !== "") ?? ""];
    return texts.map((typed) => ({ line, text: typed.slice(0, LONGEST_SHOWN), address: normaliseEmail(typed) }));
  });
}
