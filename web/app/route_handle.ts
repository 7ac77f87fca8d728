import type { TextId } from "./text_id.ts";

/** What a page's route tells the frame around it. */
export type Handle = {
  title: TextId;
  /** Where the page's own query decides on its title. */
  titleOf?: ((query: URLSearchParams) => TextId) | undefined;
  /** The pages above this one, from the top. */
  trail: { path: string; title: TextId }[];
};
