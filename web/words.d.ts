/** In a drawn document the file with the words of the ways in and of failures, in its language (`prerender.ts`). */
declare module "__WORDS__" {
  /** Named by the build; each is a catalogue. */
  const first: { default: Record<string, string> };

  export { first };
}
