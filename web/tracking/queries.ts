import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { AssociationFilter, Dashboard } from "../api/api.ts";
import { get } from "../api/call.ts";
import { LOOK_AGAIN_MS } from "../api/queries.ts";
import { type Action, useActionOn } from "../forms/action.ts";
import type { DashboardView } from "./dashboard_view.ts";

const KEY = "/api/associations";
/** Polling intervals for operations under way: at first, and after a while. */
const UNDER_WAY_MS = 1000;
const LONG_UNDER_WAY_MS = 5000;
const LONG_MS = 60_000;

export function dashboardQuery(view: DashboardView) {
  return queryOptions({
    queryKey: ["/api/dashboard", view],
    queryFn: ({ signal }) => get("/api/dashboard", { query: view, signal }),
    placeholderData: keepPreviousData,
  });
}

/** The dashboard's data, polled while a check or a first message is under way. */
export function useDashboard(view: DashboardView) {
  const lastChange = useRef({ what: "", at: 0 });
  return useQuery({
    ...dashboardQuery(view),
    refetchInterval: ({ state: { data } }) => {
      if (!data) return LOOK_AGAIN_MS;
      const { tracked, managed, sent } = data;
      const unsent = sent.items.filter(({ sentAt }) => sentAt === null).length;
      const unchecked = tracked.counts.active + (managed?.status === "active" ? 1 : 0);
      if (unsent + unchecked === 0) return LOOK_AGAIN_MS;
      const what = JSON.stringify([unsent, tracked.counts, managed]);
      if (lastChange.current.what !== what) lastChange.current = { what, at: Date.now() };
      return Date.now() - lastChange.current.at < LONG_MS ? UNDER_WAY_MS : LONG_UNDER_WAY_MS;
    },
  });
}

/** The matching tracked addresses, for forms that select some. */
export function associationsQuery(filter: AssociationFilter) {
  return queryOptions({
    queryKey: [KEY, filter],
    queryFn: ({ signal }) => get("/api/associations", { query: filter, signal }),
    placeholderData: keepPreviousData,
  });
}

/** For a form: fetched each time the form opens, and not refetched while the user is typing. */
export function associationQuery(id: string) {
  return queryOptions({
    queryKey: ["/api/associations/:id", id],
    queryFn: () => get("/api/associations/:id", { params: { id } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** The aliases of an own address; looked at again, as they are confirmed elsewhere. */
export function aliasesQuery(id: string) {
  return queryOptions({
    queryKey: ["/api/associations/:id/aliases", id],
    queryFn: ({ signal }) => get("/api/associations/:id/aliases", { params: { id }, signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function consentRecordQuery(id: string) {
  return queryOptions({
    queryKey: ["/api/grants", "record", id],
    queryFn: () => get("/api/grants/:id/record", { params: { id } }),
    staleTime: 0,
  });
}

/** Refetches the alerts when the dashboard's counts change, so that both parts of the page agree. */
export function useRefetchAlerts(dashboard: Dashboard | undefined) {
  const queryClient = useQueryClient();
  const waiting = dashboard?.tracked.waiting.alerts;
  const shown = useRef(waiting);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== waiting) {
      for (const path of ["/api/alerts", "/api/bell"]) void queryClient.invalidateQueries({ queryKey: [path] });
    }
    shown.current = waiting;
  }, [waiting, queryClient]);
}

/** The paths of everything that depends on the account's addresses. */
const DEPENDENT = [KEY, "/api/dashboard", "/api/alerts", "/api/grants"];

/** Returns a function that refetches everything that depends on the account's addresses. */
export function useRefresh() {
  const queryClient = useQueryClient();
  return () => Promise.all(DEPENDENT.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}

/** An action on an address or a permission. */
export function useAction<Answer, Input = void>(action: Action<Input, Answer>) {
  return useActionOn(DEPENDENT, action);
}
