import { useEffect } from "react";

export type Paged = { items: unknown[]; total: number; page: number; pageSize: number };

/** The last page goes when its only row does: back to one that is there. */
export function useExistingPage(shown: Paged | undefined, onPage: (page: number) => void) {
  const last =
    shown && shown.items.length === 0 && shown.page > 1 ? Math.ceil(shown.total / shown.pageSize) : undefined;
  useEffect(() => {
    if (last !== undefined) onPage(Math.max(1, last));
  }, [last, onPage]);
}
