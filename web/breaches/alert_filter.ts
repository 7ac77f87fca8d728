import type { Alert } from "../api.ts";

export const STATES = ["all", "pending", "handled"] as const;
export type StateFilter = (typeof STATES)[number];

/** What the alerts' address says: filters, page, and the alert that is open. */
export type AlertView = { state: StateFilter; search: string; page: number; open: Alert["id"] | undefined };

export function viewOf(params: URLSearchParams): AlertView {
  const page = Number(params.get("page"));
  return {
    state: STATES.find((state) => state === params.get("state")) ?? "all",
    search: params.get("search") ?? "",
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    open: params.get("alert") || undefined,
  };
}

/** The address of a view; what is as usual is left out. */
export function paramsOf({ state, search, page, open }: AlertView): URLSearchParams {
  const params = new URLSearchParams();
  if (state !== "all") params.set("state", state);
  if (search !== "") params.set("search", search);
  if (page > 1) params.set("page", `${page}`);
  if (open !== undefined) params.set("alert", open);
  return params;
}
