const ORDINALS: Record<string, string> = { fr: "1er", it: "1º" };

/** French and Italian write the first of a month as an ordinal: « 1er mars », «1º marzo»; other days are plain numbers. */
export function withFirst(date: string, locale: string): string {
  const first = ORDINALS[locale];
  return first === undefined ? date : date.replace(/(?<!\d)1(?=\s\p{L})/u, first);
}
