import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type Alert, type AlertFilter, api } from "../api.ts";
import { alertsQuery, LOOK_AGAIN_MS } from "../queries.ts";

const KEY = "/api/alerts";

export function alertPageQuery(filter: AlertFilter) {
  return queryOptions({ ...alertsQuery(filter), placeholderData: keepPreviousData, refetchInterval: LOOK_AGAIN_MS });
}

export function alertQuery(id: string) {
  return queryOptions({ queryKey: [KEY, id], queryFn: () => api.alert(id) });
}

/** Marks an alert as handled, or as pending again. Whatever comes out, what is shown is fetched anew. */
export function useToggleAlert() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (alert: Alert) => (alert.state === "pending" ? api.handleAlert(alert) : api.reopenAlert(alert)),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: [KEY] }),
        queryClient.invalidateQueries({ queryKey: ["/api/associations"] }),
      ]),
  });
}
