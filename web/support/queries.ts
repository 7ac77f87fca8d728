import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { LOOK_AGAIN_MS } from "../api/queries.ts";
import { supportApi, type TicketKind } from "../api/support_api.ts";

export const TICKETS_KEY = "/api/support/tickets";

export function ticketsQuery(kind: TicketKind, page: number) {
  return queryOptions({
    queryKey: [TICKETS_KEY, kind, page],
    queryFn: () => supportApi.tickets(kind, page),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function ticketQuery(reference: string) {
  return queryOptions({
    queryKey: [TICKETS_KEY, "one", reference],
    queryFn: () => supportApi.ticket(reference),
    refetchInterval: LOOK_AGAIN_MS,
  });
}
