/**
 * In a prerendered document: the file with the texts of the sign-in pages and of errors in its language
 * (`prerender.ts`).
 */
declare module "__WORDS__" {
  /** The build chooses the export names; each export is a catalogue. */
  const first: { default: Record<string, string> };

  export { first };
}
