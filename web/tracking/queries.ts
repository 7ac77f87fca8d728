import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type AssociationFilter, type AssociationPage, api } from "../api.ts";
import { useShowError } from "../errors.tsx";
import { LOOK_AGAIN_MS } from "../queries.ts";
import type { TextId } from "../text_id.ts";

const KEY = "/api/associations";
/** How soon a first check that is under way is looked at again. */
const FIRST_CHECK_MS = 4000;
/** How soon what other people answer is looked for again. */
const ANSWERS_MS = 60_000;

/** The tracked addresses that match; looked at again sooner while one of them waits for its first check. */
export function associationsQuery(filter: AssociationFilter) {
  return queryOptions({
    queryKey: [KEY, filter],
    queryFn: ({ signal }) => api.associations(filter, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === "active") ? FIRST_CHECK_MS : LOOK_AGAIN_MS,
  });
}

/** The first page of all of them. */
export const EVERY_ADDRESS: AssociationFilter = { search: "", status: "all", page: 1 };

/** For a form: fetched each time that one opens, and never exchanged under somebody who types. */
export function associationQuery(id: string) {
  return queryOptions({
    queryKey: ["/api/associations/:id", id],
    queryFn: () => api.association(id),
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  });
}

export function sentInvitationsQuery(page: number) {
  return queryOptions({
    queryKey: ["/api/invitations", "sent", page],
    queryFn: () => api.sentInvitations(page),
    placeholderData: keepPreviousData,
    refetchInterval: ANSWERS_MS,
  });
}

export function accessRequestsQuery(page: number) {
  return queryOptions({
    queryKey: ["/api/invitations", "requests", page],
    queryFn: () => api.accessRequests(page),
    placeholderData: keepPreviousData,
    refetchInterval: ANSWERS_MS,
  });
}

export function mayWatchQuery(page: number) {
  return queryOptions({
    queryKey: ["/api/grants", "may-watch", page],
    queryFn: () => api.mayWatch(page),
    placeholderData: keepPreviousData,
    refetchInterval: ANSWERS_MS,
  });
}

export function watchedByQuery(page: number) {
  return queryOptions({
    queryKey: ["/api/grants", "watched-by", page],
    queryFn: () => api.watchedBy(page),
    placeholderData: keepPreviousData,
    refetchInterval: ANSWERS_MS,
  });
}

export function consentRecordQuery(id: string) {
  return queryOptions({ queryKey: ["/api/grants", "record", id], queryFn: () => api.consentRecord(id), staleTime: 0 });
}

/** The alerts shown beside the addresses follow them: what a check has just found must not be missing there. */
export function useAlertsInStep(page: AssociationPage | undefined) {
  const queryClient = useQueryClient();
  const pending = page?.items.reduce((sum, { pendingAlerts }) => sum + pendingAlerts, 0);
  const shown = useRef(pending);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== pending) {
      void queryClient.invalidateQueries({ queryKey: ["/api/alerts"] });
    }
    shown.current = pending;
  }, [pending, queryClient]);
}

/** Fetches anew what hangs together with the addresses of an account. */
export function useRefresh() {
  const queryClient = useQueryClient();
  const paths = [KEY, "/api/alerts", "/api/invitations", "/api/grants"];
  return () => Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}

type Action<Input, Answer> = {
  call: (input: Input) => Promise<Answer>;
  /** The heading of the modal when it fails. */
  failureTitle: TextId;
  onDone: (answer: Answer, input: Input) => void;
};

/** Something done by a button. Whether it worked or somebody else was first: the lists are fetched anew. */
export function useAction<Answer, Input = void>({ call, failureTitle, onDone }: Action<Input, Answer>) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: call,
    onSuccess: onDone,
    onError: useShowError(failureTitle),
    onSettled: () => void refresh(),
  });
}
