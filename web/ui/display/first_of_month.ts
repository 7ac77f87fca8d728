/** In French the first of a month is its "premier": « 1er mars », and all others are plain numbers. */
export function withFirst(date: string, locale: string): string {
  return locale === "fr" ? date.replace(/(?<!\d)1(?=\s\p{L})/u, "1er") : date;
}
