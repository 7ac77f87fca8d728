/** A source's own words about a breach, made harmless. They come as HTML that anybody may have written. */
export type DescriptionText = {
  /** HTML of a few tags without attributes, and links by https that open elsewhere. */
  html(source: string): string | Promise<string>;
};
