import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type Alert, type AlertFilter, api } from "../api.ts";
import { alertsQuery, LOOK_AGAIN_MS } from "../queries.ts";

const KEY = "/api/alerts";
const MONITORING = "/api/monitoring";
const FIRST_CHECK_MS = 4000;

export function alertPageQuery(filter: AlertFilter) {
  return queryOptions({ ...alertsQuery(filter), placeholderData: keepPreviousData, refetchInterval: LOOK_AGAIN_MS });
}

export function alertQuery(id: string) {
  return queryOptions({ queryKey: [KEY, id], queryFn: () => api.alert(id) });
}

/** As much of an alert as it takes to handle it. */
export type ToggledAlert = Pick<Alert, "id" | "version" | "state" | "address" | "raisedAt" | "breach">;

/** The screen of one address; looked at again sooner while its first check is under way. */
export function monitoringQuery(address: string) {
  return queryOptions({
    queryKey: [MONITORING, address],
    queryFn: ({ signal }) => api.monitoring(address, signal),
    refetchInterval: ({ state }) => (state.data?.status === "active" ? FIRST_CHECK_MS : LOOK_AGAIN_MS),
  });
}

/** Marks an alert as handled, or as pending again. Whatever comes out, what is shown is fetched anew. */
export function useToggleAlert() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (alert: ToggledAlert) => (alert.state === "pending" ? api.handleAlert(alert) : api.reopenAlert(alert)),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: [KEY] }),
        queryClient.invalidateQueries({ queryKey: [MONITORING] }),
        queryClient.invalidateQueries({ queryKey: ["/api/associations"] }),
      ]),
  });
}
