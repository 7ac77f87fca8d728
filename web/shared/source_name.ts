import { creditsOf } from "../../src/shared/sources.ts";
import { useText } from "../app/i18n.tsx";

/** How a source is called. The example data is a copy of somebody's catalogue, but nobody is asked. */
export function useSourceName(): (source: string) => string {
  const text = useText();
  return (source) => {
    if (source === "bundled") return text("source.bundled");
    const [credit] = creditsOf([], [source]);
    if (credit === undefined) return source;
    return credit.name ?? text("source.own_list");
  };
}
