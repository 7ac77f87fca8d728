export const INVITATIONS_PER_PAGE = 25;

export type Range = { offset: number; limit: number };

/** One page of a list, with the total number of items. */
export type Page<Item> = { items: Item[]; total: number; page: number; pageSize: number };

export function rangeOf(page: number): Range {
  return { offset: (page - 1) * INVITATIONS_PER_PAGE, limit: INVITATIONS_PER_PAGE };
}

export function pageOf<Item>(page: number, { items, total }: { items: Item[]; total: number }): Page<Item> {
  return { items, total, page, pageSize: INVITATIONS_PER_PAGE };
}
