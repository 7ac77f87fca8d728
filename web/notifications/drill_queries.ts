import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import type { FireDrill } from "../api/api.ts";
import { get } from "../api/call.ts";
import { refreshAlerts } from "../api/queries.ts";
import { useSingleMutation } from "../api/single_mutation.ts";
import { useShowError } from "../app/errors.tsx";
import type { TextId } from "../app/text_id.ts";
import { lookAgain } from "../shared/delivery_words.ts";

const STEP_MS = 3000;

/** The running drill; polled while its alert is pending, as it may be handled elsewhere, and the page is visible. */
export const drillQuery = queryOptions({
  queryKey: ["/api/fire-drill"],
  queryFn: ({ signal }) => get("/api/fire-drill", { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.drill?.state === "pending" ? STEP_MS : false),
});

/** The messages of the drill's alert, polled until all are final. */
export function drillMessagesQuery({ alertId }: FireDrill) {
  return queryOptions({
    queryKey: ["/api/alerts", alertId, "deliveries"],
    queryFn: () => get("/api/alerts/:id/deliveries", { params: { id: alertId } }),
    refetchInterval: ({ state }) => (state.data?.items.length === 0 ? STEP_MS : lookAgain(state.data?.items)),
  });
}

/** The first page of tracked addresses that match. */
export function addressesQuery(search: string) {
  const filter = { search, status: "all", page: 1 } as const;
  return queryOptions({
    queryKey: ["/api/associations", filter],
    queryFn: ({ signal }) => get("/api/associations", { query: filter, signal }),
    placeholderData: keepPreviousData,
  });
}

type Step<Input> = {
  call: (input: Input) => Promise<unknown>;
  /** The title of the error dialog. */
  failureTitle: TextId;
  onDone?: () => void;
};

/** A step of a drill. Whether it succeeds or not, the drill and all alert queries are refetched. */
export function useDrillStep<Input = void>({ call, failureTitle, onDone }: Step<Input>) {
  const queryClient = useQueryClient();
  const showError = useShowError(failureTitle);
  return useSingleMutation({
    mutationFn: call,
    onError: showError,
    onSettled: async (_answer, error) => {
      await Promise.all([queryClient.invalidateQueries(drillQuery), refreshAlerts(queryClient)]);
      if (!error) onDone?.();
    },
  });
}
