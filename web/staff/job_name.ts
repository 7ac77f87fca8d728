import { useText } from "../app/i18n.tsx";
import { useSourceName } from "../shared/source_name.ts";
import { wordsOfJob } from "./job_words.ts";

/** Returns a function that gives a job's description. */
export function useJobName(): (name: string) => string {
  const text = useText();
  const sourceName = useSourceName();
  return (name) => {
    const words = wordsOfJob(name);
    return words ? text(words.id, { source: sourceName(words.source) }) : name;
  };
}
