import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { toast } from "sonner";
import { meQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { openDraft, takeDraft } from "./drafts.ts";

type Options = {
  /** What was typed so far; undefined when there is nothing to keep. */
  read: () => unknown;
  restore: (typed: unknown) => void;
};

/**
 * Brings back what was typed when the session ended in the middle of it, and says so. `useServerForm` does this by itself for
 * a form with a `draft`; without a name nothing is kept.
 */
export function useDraft(key: string | undefined, options: Options): void {
  // A form of somebody who is not signed in has no draft, and asks for nobody.
  const { data: me } = useQuery({ ...meQuery, enabled: key !== undefined });
  const account = me?.email;
  const latest = useRef(options);
  latest.current = options;
  const text = useText();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words of another language are no reason to look again
  useEffect(() => {
    if (key === undefined || account === undefined) return;
    const typed = takeDraft(key, account);
    if (typed !== undefined) {
      latest.current.restore(typed);
      toast.info(text("draft.restored"));
    }
    return openDraft(key, { account, read: () => latest.current.read() });
  }, [key, account]);
}
