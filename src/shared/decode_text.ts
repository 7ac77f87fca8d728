type Utf16 = "utf-16le" | "utf-16be";
const UTF_16: [first: number, second: number, encoding: Utf16][] = [
  [0xff, 0xfe, "utf-16le"],
  [0xfe, 0xff, "utf-16be"],
];

/** The encoding that the byte order mark at the beginning of a file names; undefined for UTF-8 and for files without a mark. */
export function utf16Of(start: Uint8Array): Utf16 | undefined {
  return UTF_16.find(([first, second]) => start[0] === first && start[1] === second)?.[2];
}

/**
 * The text of a file from a spreadsheet or an address book: UTF-16 with a byte order mark, UTF-8, and otherwise Windows-1252, which
 * is what older programs in Western Europe write.
 */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
