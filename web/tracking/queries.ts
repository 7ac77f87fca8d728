import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type Association, type AssociationFilter, type AssociationPage, api } from "../api.ts";
import { LOOK_AGAIN_MS } from "../queries.ts";

const KEY = "/api/associations";
/** How soon a first check that is under way is looked at again. */
const FIRST_CHECK_MS = 4000;

/** The tracked addresses that match; looked at again sooner while one of them waits for its first check. */
export function associationsQuery(filter: AssociationFilter) {
  return queryOptions({
    queryKey: [KEY, filter],
    queryFn: ({ signal }) => api.associations(filter, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === "active") ? FIRST_CHECK_MS : LOOK_AGAIN_MS,
  });
}

/** The alerts shown beside the addresses follow them: what a check has just found must not be missing there. */
export function useAlertsInStep(page: AssociationPage | undefined) {
  const queryClient = useQueryClient();
  const pending = page?.items.reduce((sum, { pendingAlerts }) => sum + pendingAlerts, 0);
  const shown = useRef(pending);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== pending) {
      void queryClient.invalidateQueries({ queryKey: ["/api/alerts"] });
    }
    shown.current = pending;
  }, [pending, queryClient]);
}

export function useTrack() {
  const queryClient = useQueryClient();
  return { send: api.track, refresh: () => queryClient.invalidateQueries({ queryKey: [KEY] }) };
}

export function useStopTracking() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Association) => api.stopTracking(id),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: [KEY] }),
        queryClient.invalidateQueries({ queryKey: ["/api/alerts"] }),
      ]),
  });
}
