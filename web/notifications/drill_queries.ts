import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type FireDrill } from "../api/api.ts";
import { refreshAlerts } from "../api/queries.ts";
import { useShowError } from "../app/errors.tsx";
import type { TextId } from "../app/text_id.ts";
import { lookAgain } from "../shared/delivery_words.ts";

const STEP_MS = 3000;

/** The drill under way; looked at while its alert waits, as that may be handled elsewhere, and the page is in sight. */
export const drillQuery = queryOptions({
  queryKey: ["/api/fire-drill"],
  queryFn: ({ signal }) => api.drill(signal),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.drill?.state === "pending" ? STEP_MS : false),
});

/** The messages about its alert, until all of them have ended. */
export function drillMessagesQuery({ alertId }: FireDrill) {
  return queryOptions({
    queryKey: ["/api/alerts", alertId, "deliveries"],
    queryFn: () => api.alertDeliveries(alertId),
    refetchInterval: ({ state }) => (state.data?.items.length === 0 ? STEP_MS : lookAgain(state.data?.items)),
  });
}

/** The first tracked addresses that match. */
export function addressesQuery(search: string) {
  const filter = { search, status: "all", page: 1 } as const;
  return queryOptions({
    queryKey: ["/api/associations", filter],
    queryFn: ({ signal }) => api.associations(filter, signal),
    placeholderData: keepPreviousData,
  });
}

type Step<Input> = {
  call: (input: Input) => Promise<unknown>;
  /** The heading of the modal when it fails. */
  failureTitle: TextId;
  onDone?: () => void;
};

/** A step of a drill. Whether it worked or not: how the drill stands, and whatever shows its alert, is fetched anew. */
export function useDrillStep<Input = void>({ call, failureTitle, onDone }: Step<Input>) {
  const queryClient = useQueryClient();
  const showError = useShowError(failureTitle);
  return useMutation({
    mutationFn: call,
    onError: showError,
    onSettled: async (_answer, error) => {
      await Promise.all([queryClient.invalidateQueries(drillQuery), refreshAlerts(queryClient)]);
      if (!error) onDone?.();
    },
  });
}
