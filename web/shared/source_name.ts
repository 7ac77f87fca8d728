import { creditsOf } from "../../src/shared/sources.ts";
import { useText } from "../app/i18n.tsx";

/** The display name of a source. The bundled example data is a copy of a catalogue that is not requested. */
export function useSourceName(): (source: string) => string {
  const text = useText();
  return (source) => {
    if (source === "bundled") return text("source.bundled");
    const [credit] = creditsOf([], [source]);
    if (credit === undefined) return source;
    return credit.name ?? text("source.own_list");
  };
}
