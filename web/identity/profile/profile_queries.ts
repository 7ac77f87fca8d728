import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { billingApi } from "../../api/billing_api.ts";

export const factorsQuery = queryOptions({ queryKey: ["/api/factors"], queryFn: api.factors });
export const sessionsQuery = queryOptions({ queryKey: ["/api/sessions"], queryFn: api.sessions });
export const activityQuery = queryOptions({ queryKey: ["/api/activity"], queryFn: api.activity });
export const ordersQuery = queryOptions({ queryKey: ["/api/orders"], queryFn: billingApi.orders });
export const linkedProvidersQuery = queryOptions({ queryKey: ["/api/providers"], queryFn: api.linkedProviders });
