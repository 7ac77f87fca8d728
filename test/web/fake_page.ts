const PAGE_SIZE = 25;

/** One page of a list in the fake server's format. */
export function pageOf<Item>(all: Item[], query: URLSearchParams) {
  const page = Number(query.get("page") ?? 1);
  return { items: all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), total: all.length, page, pageSize: PAGE_SIZE };
}
