import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type Association, type AssociationFilter, api } from "../api.ts";

const KEY = "/api/associations";
/** How soon a first check that is under way is looked at again. */
const FIRST_CHECK_MS = 4000;

/** The tracked addresses that match; looked at again while one of them waits for its first check. */
export function associationsQuery(filter: AssociationFilter) {
  return queryOptions({
    queryKey: [KEY, filter],
    queryFn: ({ signal }) => api.associations(filter, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === "active") ? FIRST_CHECK_MS : false,
  });
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
