import {
  ALERT_SORTS,
  ALERT_STATES,
  type AlertSort,
  type AlertStateFilter,
  DIRECTIONS,
  type Direction,
  firstDirection,
  LAST_PAGE,
  LONGEST_CATEGORY,
  LONGEST_WORDS,
} from "../../src/shared/alert.ts";
import { BREACH_FLAGS, type BreachFlag } from "../../src/shared/breach.ts";
import type { Alert, AlertFilter } from "../api/api.ts";

/** The state in the URL of the alerts page: filters, order, page and the open alert. */
export type AlertView = {
  state: AlertStateFilter;
  search: string;
  address: string;
  category: string;
  flag: BreachFlag | undefined;
  sort: AlertSort;
  direction: Direction;
  page: number;
  open: Alert["id"] | undefined;
};

/** Pending alerts, the most severe first. */
export const NO_FILTERS = {
  state: "pending",
  search: "",
  address: "",
  category: "",
  flag: undefined,
  page: 1,
} as const;
const USUAL_SORT = "seriousness";

/** Invalid values in the URL are ignored. */
export function viewOf(params: URLSearchParams): AlertView {
  const known = <Value extends string>(values: readonly Value[], name: string) =>
    values.find((value) => value === params.get(name));
  const words = (name: string, longest: number) => {
    const value = params.get(name) ?? "";
    return value.length > longest || value.includes("\0") ? "" : value;
  };
  const page = Number(params.get("page"));
  const sort = known(ALERT_SORTS, "sort") ?? USUAL_SORT;
  return {
    state: known(ALERT_STATES, "state") ?? NO_FILTERS.state,
    search: words("search", LONGEST_WORDS),
    address: words("address", LONGEST_WORDS),
    category: words("category", LONGEST_CATEGORY),
    flag: known(BREACH_FLAGS, "flag"),
    sort,
    direction: known(DIRECTIONS, "direction") ?? firstDirection(sort),
    page: Number.isInteger(page) && page > 0 && page <= LAST_PAGE ? page : 1,
    open: params.get("alert") || undefined,
  };
}

/** The query string of a view, without default values. */
export function paramsOf(view: AlertView): URLSearchParams {
  const { state, search, address, category, flag, sort, direction, page, open } = view;
  const params = new URLSearchParams();
  if (state !== NO_FILTERS.state) params.set("state", state);
  for (const [name, value] of Object.entries({ search, address, category, flag })) if (value) params.set(name, value);
  if (sort !== USUAL_SORT) params.set("sort", sort);
  if (direction !== firstDirection(sort)) params.set("direction", direction);
  if (page > 1) params.set("page", `${page}`);
  if (open !== undefined) params.set("alert", open);
  return params;
}

/** The filter as the API takes it; the page is passed separately. */
export function filterOf({ open: _, page: __, ...filter }: AlertView): AlertFilter {
  return filter;
}

/** How many of the filters behind the "Filters" button are set; state and search are always visible. */
export function filtersSet({ address, category, flag }: AlertView): number {
  return [address, category, flag].filter(Boolean).length;
}

/** Whether any filter other than the state is set. */
export function isNarrowed(view: AlertView): boolean {
  return view.search !== "" || filtersSet(view) > 0;
}

/** The order after a click on a column: its initial direction, then reversed, then the default order. */
export function nextOrder({ sort, direction }: AlertView, chosen: AlertSort): Pick<AlertView, "sort" | "direction"> {
  const first = firstDirection(chosen);
  if (sort !== chosen) return { sort: chosen, direction: first };
  if (direction === first) return { sort, direction: turned(direction) };
  return { sort: USUAL_SORT, direction: firstDirection(USUAL_SORT) };
}

export function turned(direction: Direction): Direction {
  return direction === "asc" ? "desc" : "asc";
}
