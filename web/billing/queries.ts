import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../api/call.ts";

export const plansQuery = queryOptions({
  queryKey: ["/api/plans"],
  queryFn: () => get("/api/plans"),
  staleTime: 10 * 60_000,
});

/**
 * Polling intervals until the payment provider has confirmed: short at first, longer later; none while the page is
 * hidden.
 */
const SOON_MS = 3000;
const LATER_MS = 30_000;
const SOON_TIMES = 20;

export function orderQuery(session: string) {
  return queryOptions({
    queryKey: ["/api/order-success", session],
    queryFn: () => post("/api/order-success", { body: { session } }),
    gcTime: 0,
    refetchInterval({ state: { data, dataUpdateCount } }) {
      if (data?.state !== "processing") return false;
      return dataUpdateCount < SOON_TIMES ? SOON_MS : LATER_MS;
    },
  });
}
