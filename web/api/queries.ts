import { MutationCache, QueryCache, QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { noteExpiry } from "../app/session.ts";
import { type AlertFilter, api, isApiError, type TelegramLink } from "./api.ts";

/** True for a failure that means: log in again. It is dealt with once, for every call. */
export function isSessionEnd(error: unknown): boolean {
  return isApiError(error) && (error.code === "SESSION_EXPIRED" || error.code === "UNAUTHENTICATED");
}

/** The cache of server state. `onSessionEnd` is called when any call finds the session gone. */
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
        // What the server answered stays answered; only a lost connection is worth a second try.
        retry: (failures, error) => failures < 2 && isApiError(error) && error.code === "UNREACHABLE",
      },
    },
  });
}

// Shared by several features; keys are the endpoint's path.
export const instanceQuery = queryOptions({
  queryKey: ["/api/instance"],
  queryFn: api.instance,
  staleTime: Number.POSITIVE_INFINITY,
});

export const meQuery = queryOptions({ queryKey: ["/api/me"], queryFn: api.me, staleTime: 60_000 });

export const profileQuery = queryOptions({ queryKey: ["/api/profile"], queryFn: api.profile });

/** Whether a summary is sent every month. */
export const summaryQuery = queryOptions({ queryKey: ["/api/profile/summary"], queryFn: api.summary });

export const subscriptionQuery = queryOptions({ queryKey: ["/api/subscription"], queryFn: api.subscription });

export function alertsQuery(filter: AlertFilter) {
  return queryOptions({
    queryKey: ["/api/alerts", filter],
    queryFn: ({ signal }) => api.alerts(filter, signal),
  });
}

/** What the account's alerts add up to. */
export const figuresQuery = queryOptions({
  queryKey: ["/api/alerts", "figures"],
  queryFn: ({ signal }) => api.alertFigures(signal),
});

/** How soon what the server finds by itself is looked for again. */
export const LOOK_AGAIN_MS = 15_000;

/** Where alerts go, and how each of these places does. */
export function contactsQuery(filter: { page?: number; value?: string } = {}) {
  return queryOptions({
    queryKey: ["/api/contacts", filter],
    queryFn: ({ signal }) => api.contacts(filter, signal),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** Fetches anew how the contacts do. */
export function useRefreshContacts() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["/api/contacts"] });
}

const LINK_MS = 3000;

/** How far a contact's connection to the bot has come; looked at while somebody has to act, and the page is in sight. */
export function linkQuery(contactId: string) {
  return queryOptions({
    queryKey: ["/api/contacts/:id/telegram-link", contactId],
    queryFn: ({ signal }) => api.telegramLink(contactId, signal),
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

/** Fetches anew whatever shows alerts. */
export function refreshAlerts(queryClient: QueryClient) {
  const keys = ["/api/alerts", "/api/monitoring", "/api/bell", "/api/associations", "/api/dashboard"];
  return Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
}
