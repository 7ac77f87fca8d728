/** French writes the first of a month as an ordinal: « 1er mars »; other days are plain numbers. */
export function withFirst(date: string, locale: string): string {
  return locale === "fr" ? date.replace(/(?<!\d)1(?=\s\p{L})/u, "1er") : date;
}
