import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { toast } from "sonner";
import { meQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { openDraft, takeDraft } from "./drafts.ts";

type Options = {
  /** Returns the input so far, or undefined when there is nothing to keep. */
  read: () => unknown;
  restore: (typed: unknown) => void;
};

/**
 * Restores the input that was kept when the session ended, and tells the user. `useServerForm` calls this for a form
 * with a `draft`; without a key nothing is kept.
 */
export function useDraft(key: string | undefined, options: Options): void {
  // A form for signed-out users has no draft, so the account is not requested.
  const { data: me } = useQuery({ ...meQuery, enabled: key !== undefined });
  const account = me?.email;
  const latest = useRef(options);
  latest.current = options;
  const text = useText();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of language does not restore the draft again
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
