import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, post } from "../api/call.ts";
import type { AddressFilter } from "../api/domains_api.ts";
import { LOOK_AGAIN_MS } from "../api/queries.ts";
import { type Action, useActionOn } from "../forms/action.ts";
import { listedCount } from "./counts.tsx";

const KEY = "/api/domains";

export const domainsQuery = queryOptions({ queryKey: [KEY], queryFn: () => get("/api/domains") });

/** Polled, as a job looks for the proof and the sources answer in the background. */
export function domainQuery(id: string) {
  return queryOptions({
    queryKey: [KEY, id],
    queryFn: () => get("/api/domains/:id", { params: { id } }),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function sourcesQuery(id: string) {
  return queryOptions({
    queryKey: [KEY, id, "sources"],
    queryFn: () => get("/api/domains/:id/sources", { params: { id } }),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** Polled until something is listed, as the sources answer in the background and people are told first. */
export function overviewQuery(id: string) {
  return queryOptions({
    queryKey: [KEY, id, "overview"],
    queryFn: () => get("/api/domains/:id/overview", { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data && listedCount(data) === 0 ? LOOK_AGAIN_MS : false),
  });
}

/** The server notes each look at addresses, so they are fetched only when the administrator asks for them. */
const ON_REQUEST = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

export function addressesQuery(id: string, filter: AddressFilter) {
  return infiniteQueryOptions({
    queryKey: [KEY, id, "addresses", filter],
    queryFn: ({ pageParam: after }) =>
      post("/api/domains/:id/addresses/list", { params: { id }, body: { ...filter, after } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
    ...ON_REQUEST,
  });
}

export function addressQuery(id: string, alias: string) {
  return queryOptions({
    queryKey: [KEY, id, "address", alias],
    queryFn: () => post("/api/domains/:id/addresses/show", { params: { id }, body: { alias } }),
    gcTime: 0,
    ...ON_REQUEST,
  });
}

/** What a mailed link is about; not cached after the page is left. */
export function domainLinkQuery(token: string) {
  return queryOptions({
    queryKey: ["/api/domain-links/inspect", token],
    queryFn: () => post("/api/domain-links/inspect", { body: { token } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** An action on a domain. */
export function useDomainAction<Answer, Input = void>(action: Action<Input, Answer>) {
  return useActionOn([KEY], action);
}
