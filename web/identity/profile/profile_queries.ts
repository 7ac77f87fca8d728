import { queryOptions } from "@tanstack/react-query";
import { get } from "../../api/call.ts";

export const factorsQuery = queryOptions({ queryKey: ["/api/factors"], queryFn: () => get("/api/factors") });
export const sessionsQuery = queryOptions({ queryKey: ["/api/sessions"], queryFn: () => get("/api/sessions") });
export const activityQuery = queryOptions({ queryKey: ["/api/activity"], queryFn: () => get("/api/activity") });
export const ordersQuery = queryOptions({ queryKey: ["/api/orders"], queryFn: () => get("/api/orders") });
export const linkedProvidersQuery = queryOptions({
  queryKey: ["/api/providers"],
  queryFn: () => get("/api/providers"),
});
