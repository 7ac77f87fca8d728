import type { TextId } from "./text_id.ts";

/** The data of a page's route that the surrounding frame uses. */
export type Handle = {
  title: TextId;
  /** For pages whose title depends on the query string. */
  titleOf?: ((query: URLSearchParams) => TextId) | undefined;
  /** The ancestors of this page, from the top. */
  trail: { path: string; title: TextId }[];
};
