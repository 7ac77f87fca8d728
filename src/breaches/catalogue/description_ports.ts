/** Sanitizes a source's description, which is untrusted HTML. */
export type DescriptionText = {
  /** HTML with a few tags without attributes, and https links that open in a new tab. */
  html(source: string): string | Promise<string>;
};
