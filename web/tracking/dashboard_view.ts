import type { AssociationStatus } from "../api/api.ts";
import { useSearchChanges } from "../ui/display/use_search_changes.ts";

export const FILTERS = ["all", "safe", "breached", "inactive"] as const satisfies ("all" | AssociationStatus)[];
export type Filter = (typeof FILTERS)[number];

const PAGES = ["page", "sentPage", "requestsPage", "mayWatchPage", "watchedByPage"] as const;

/** The state in the dashboard's URL: search and filter of the tracked addresses, and the page of each list. */
export type DashboardView = { search: string; status: Filter } & Record<(typeof PAGES)[number], number>;

/** The maximal length of an email address (RFC 5321). */
export const LONGEST_SEARCH = 254;
const LAST_PAGE = 999_999;

/** Invalid values in the URL are ignored. */
export function viewOf(params: URLSearchParams): DashboardView {
  const search = params.get("search") ?? "";
  const pageOf = (name: string) => {
    const page = Number(params.get(name));
    return Number.isInteger(page) && page > 0 && page <= LAST_PAGE ? page : 1;
  };
  return {
    search: search.length > LONGEST_SEARCH || search.includes("\0") ? "" : search,
    status: FILTERS.find((filter) => filter === params.get("status")) ?? "all",
    page: pageOf("page"),
    sentPage: pageOf("sentPage"),
    requestsPage: pageOf("requestsPage"),
    mayWatchPage: pageOf("mayWatchPage"),
    watchedByPage: pageOf("watchedByPage"),
  };
}

/** The query string of a view, without default values; other parameters are kept. */
function withView(params: URLSearchParams, view: DashboardView): URLSearchParams {
  const changed = new URLSearchParams(params);
  const set = (name: string, value: string, usual: string) =>
    value === usual ? changed.delete(name) : changed.set(name, value);
  set("search", view.search, "");
  set("status", view.status, "all");
  for (const name of PAGES) set(name, `${view[name]}`, "1");
  return changed;
}

export function useDashboardView() {
  const { params, change: changeSearch } = useSearchChanges();
  const show = (change: Partial<DashboardView>) =>
    changeSearch((current) => withView(current, { ...viewOf(current), ...change }), {
      replace: true,
      preventScrollReset: true,
    });
  return { view: viewOf(params), show };
}

export type Show = ReturnType<typeof useDashboardView>["show"];
