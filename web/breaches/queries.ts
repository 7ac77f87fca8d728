import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { LetterCountry } from "../../src/shared/letters.ts";
import type { Alert, AlertFilter } from "../api/api.ts";
import { get } from "../api/call.ts";
import { alertsQuery, LOOK_AGAIN_MS } from "../api/queries.ts";
import { lookAgain } from "../shared/delivery_words.ts";

const KEY = "/api/alerts";
const MONITORING = "/api/monitoring";
const TRACES = "/api/monitoring/traces";
const BELL = "/api/bell";
const FIRST_CHECK_MS = 4000;
const LOOK_AGAIN_HIDDEN_MS = 60_000;

export function alertPageQuery(filter: AlertFilter) {
  return queryOptions({ ...alertsQuery(filter), placeholderData: keepPreviousData, refetchInterval: LOOK_AGAIN_MS });
}

/** The values to filter by. */
export const facetsQuery = queryOptions({
  queryKey: [KEY, "facets"],
  queryFn: ({ signal }) => get("/api/alerts/facets", { signal }),
});

export function alertQuery(id: string) {
  return queryOptions({ queryKey: [KEY, id], queryFn: () => get("/api/alerts/:id", { params: { id } }) });
}

/** The messages about an alert; polled while one of them is under way. */
export function deliveriesQuery(id: string) {
  return queryOptions({
    queryKey: [KEY, id, "deliveries"],
    queryFn: () => get("/api/alerts/:id/deliveries", { params: { id } }),
    refetchInterval: ({ state }) => lookAgain(state.data?.items),
  });
}

export const bellQuery = queryOptions({
  queryKey: [BELL],
  queryFn: ({ signal }) => get("/api/bell", { signal }),
  refetchInterval: () => (document.hidden ? LOOK_AGAIN_HIDDEN_MS : LOOK_AGAIN_MS),
  // The badge of the tab shows the number of pending alerts even while the tab is in the background.
  refetchIntervalInBackground: true,
});

/** The fields of an alert that are needed to change its state. */
export type HandledAlert = Pick<Alert, "id" | "version" | "state" | "address" | "raisedAt" | "breach"> &
  Partial<Pick<Alert, "reason" | "note">>;

/** The data of one address's screen; polled more often during its first check. */
export function monitoringQuery(address: string) {
  return queryOptions({
    queryKey: [MONITORING, address],
    queryFn: ({ signal }) => get("/api/monitoring", { query: { child_email: address }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === "active" ? FIRST_CHECK_MS : LOOK_AGAIN_MS),
  });
}

/** Pastes and stealer logs of an own address; polled while the source may not be asked again. */
export function tracesQuery(address: string) {
  return queryOptions({
    queryKey: [TRACES, address],
    queryFn: ({ signal }) => get("/api/monitoring/traces", { query: { child_email: address }, signal }),
    refetchInterval: ({ state }) => (state.data?.askAgainAt ? LOOK_AGAIN_MS : false),
  });
}

/** The letters that were sent. */
export const lettersQuery = queryOptions({
  queryKey: ["/api/letters"],
  queryFn: ({ signal }) => get("/api/letters", { signal }),
});

/** What a letter about an alert needs; known companies of that country come first. */
export function letterFactsQuery(id: string, country: LetterCountry) {
  return queryOptions({
    queryKey: [KEY, id, "letter", country],
    queryFn: () => get("/api/alerts/:id/letter", { params: { id }, query: { country } }),
    placeholderData: keepPreviousData,
  });
}

export function authoritiesQuery(country: LetterCountry) {
  return queryOptions({
    queryKey: ["/api/authorities", country],
    queryFn: () => get("/api/authorities", { query: { country } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
