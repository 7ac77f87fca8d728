import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type AssociationFilter, api, type Dashboard } from "../api/api.ts";
import { LOOK_AGAIN_MS } from "../api/queries.ts";
import { useShowError } from "../app/errors.tsx";
import type { TextId } from "../app/text_id.ts";
import type { DashboardView } from "./dashboard_view.ts";

const KEY = "/api/associations";
/** How soon what is under way is looked at again, and how soon when it has been under way for long. */
const UNDER_WAY_MS = 1000;
const LONG_UNDER_WAY_MS = 5000;
const LONG_MS = 60_000;

export function dashboardQuery(view: DashboardView) {
  return queryOptions({
    queryKey: ["/api/dashboard", view],
    queryFn: ({ signal }) => api.dashboard(view, signal),
    placeholderData: keepPreviousData,
  });
}

/** What the dashboard shows. While a check or a first mail is under way, its end is known within a second. */
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

/** The tracked addresses that match, for a form that chooses among them. */
export function associationsQuery(filter: AssociationFilter) {
  return queryOptions({
    queryKey: [KEY, filter],
    queryFn: ({ signal }) => api.associations(filter, signal),
    placeholderData: keepPreviousData,
  });
}

/** For a form: fetched each time that one opens, and never exchanged under somebody who types. */
export function associationQuery(id: string) {
  return queryOptions({
    queryKey: ["/api/associations/:id", id],
    queryFn: () => api.association(id),
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  });
}

export function consentRecordQuery(id: string) {
  return queryOptions({ queryKey: ["/api/grants", "record", id], queryFn: () => api.consentRecord(id), staleTime: 0 });
}

/** The alerts shown beside the addresses follow them: what a check has just found must not be missing there. */
export function useAlertsInStep(dashboard: Dashboard | undefined) {
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

/** Fetches anew what hangs together with the addresses of an account. */
export function useRefresh() {
  const queryClient = useQueryClient();
  const paths = [KEY, "/api/dashboard", "/api/alerts", "/api/grants"];
  return () => Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}

type Action<Input, Answer> = {
  call: (input: Input) => Promise<Answer>;
  /** The heading of the modal when it fails. */
  failureTitle: TextId;
  onDone: (answer: Answer, input: Input) => void;
};

/** Something done by a button. Whether it worked or somebody else was first: the lists are fetched anew. */
export function useAction<Answer, Input = void>({ call, failureTitle, onDone }: Action<Input, Answer>) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: call,
    onSuccess: onDone,
    onError: useShowError(failureTitle),
    onSettled: () => void refresh(),
  });
}
