import { useEffect } from "react";

export type Paged = { items: unknown[]; total: number; page: number; pageSize: number };

/** Goes to the last existing page when the current one no longer exists, for example after its only row was removed. */
export function useExistingPage(shown: Paged | undefined, onPage: (page: number) => void) {
  const last =
    shown && shown.items.length === 0 && shown.page > 1 ? Math.ceil(shown.total / shown.pageSize) : undefined;
  useEffect(() => {
    if (last !== undefined) onPage(Math.max(1, last));
  }, [last, onPage]);
}
