import { MutationCache, QueryCache, QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { noteExpiry } from "../app/session.ts";
import { type AlertFilter, isApiError, type TelegramLink } from "./api.ts";
import { get } from "./call.ts";

/** True for errors that require a new login. The query client handles them for every call. */
export function isSessionEnd(error: unknown): boolean {
  return isApiError(error) && (error.code === "SESSION_EXPIRED" || error.code === "UNAUTHENTICATED");
}

/** Creates the cache of server state. `onSessionEnd` is called when any request finds that the session has ended. */
export function createQueryClient(onSessionEnd: () => void): QueryClient {
  const onError = (error: Error) => {
    if (!isSessionEnd(error)) return;
    noteExpiry();
    onSessionEnd();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        networkMode: "always",
        refetchOnReconnect: true,
        // Only connection failures are retried: an error response would stay the same.
        retry: (failures, error) => failures < 2 && isApiError(error) && error.code === "UNREACHABLE",
      },
      // A mutation sent without a network must fail: a paused one would be carried out later, even if it was cancelled.
      mutations: { networkMode: "always" },
    },
  });
}

// Shared by several features; keys are the endpoint's path.
export const instanceQuery = queryOptions({
  queryKey: ["/api/instance"],
  queryFn: () => get("/api/instance"),
  staleTime: Number.POSITIVE_INFINITY,
});

export const meQuery = queryOptions({ queryKey: ["/api/me"], queryFn: () => get("/api/me"), staleTime: 60_000 });

export const profileQuery = queryOptions({ queryKey: ["/api/profile"], queryFn: () => get("/api/profile") });

/** Whether the account receives the monthly summary. */
export const summaryQuery = queryOptions({
  queryKey: ["/api/profile/summary"],
  queryFn: () => get("/api/profile/summary"),
});

export const subscriptionQuery = queryOptions({
  queryKey: ["/api/subscription"],
  queryFn: () => get("/api/subscription"),
});

export function alertsQuery(filter: AlertFilter) {
  return queryOptions({
    queryKey: ["/api/alerts", filter],
    queryFn: ({ signal }) => get("/api/alerts", { query: filter, signal }),
  });
}

/** Figures computed over all alerts of the account. */
export const figuresQuery = queryOptions({
  queryKey: ["/api/alerts", "figures"],
  queryFn: ({ signal }) => get("/api/alerts/figures", { signal }),
});

/** Polling interval for results that the server produces in the background. */
export const LOOK_AGAIN_MS = 15_000;

/** The contacts that receive alerts, with their delivery health. */
export function contactsQuery(filter: { page?: number; value?: string } = {}) {
  return queryOptions({
    queryKey: ["/api/contacts", filter],
    queryFn: ({ signal }) => get("/api/contacts", { query: filter, signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** The key that this browser subscribes with for notifications. */
export const pushKeyQuery = queryOptions({
  queryKey: ["/api/push/key"],
  queryFn: () => get("/api/push/key"),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns a function that refetches the contacts. */
export function useRefreshContacts() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["/api/contacts"] });
}

const LINK_MS = 3000;

/**
 * The state of a contact's Telegram connection; polled while the user has to act in Telegram and the page is visible.
 */
export function linkQuery(contactId: string) {
  return queryOptions({
    queryKey: ["/api/contacts/:id/telegram-link", contactId],
    queryFn: ({ signal }) => get("/api/contacts/:id/telegram-link", { params: { id: contactId }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isOpen(state.data) ? LINK_MS : false),
  });
}

function isOpen(link: TelegramLink | undefined): boolean {
  return link?.state === "waiting" || link?.state === "needs_confirmation";
}

/** The pending alerts, newest first: for the bell and the dashboard's summary. */
export const pendingAlertsQuery = queryOptions({
  ...alertsQuery({ state: "pending" }),
  refetchInterval: LOOK_AGAIN_MS,
});

/** Invalidates every query that shows alerts. */
export function refreshAlerts(queryClient: QueryClient) {
  const keys = ["/api/alerts", "/api/monitoring", "/api/bell", "/api/associations", "/api/dashboard"];
  return Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
}
