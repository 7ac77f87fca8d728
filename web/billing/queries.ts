import { queryOptions } from "@tanstack/react-query";
import { billingApi } from "../api/billing_api.ts";

export const plansQuery = queryOptions({
  queryKey: ["/api/plans"],
  queryFn: billingApi.plans,
  staleTime: 10 * 60_000,
});

/** While the provider has not told of the payment: soon again, and later less often. Not while nobody looks. */
const SOON_MS = 3000;
const LATER_MS = 30_000;
const SOON_TIMES = 20;

export function orderQuery(session: string) {
  return queryOptions({
    queryKey: ["/api/order-success", session],
    queryFn: () => billingApi.orderSuccess(session),
    gcTime: 0,
    refetchInterval({ state: { data, dataUpdateCount } }) {
      if (data?.state !== "processing") return false;
      return dataUpdateCount < SOON_TIMES ? SOON_MS : LATER_MS;
    },
  });
}
