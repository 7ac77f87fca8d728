import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { LOOK_AGAIN_MS } from "../api/queries.ts";
import type { TicketKind } from "../api/support_api.ts";

export const TICKETS_KEY = "/api/support/tickets";

export function ticketsQuery(kind: TicketKind, page: number) {
  return queryOptions({
    queryKey: [TICKETS_KEY, kind, page],
    queryFn: () => get("/api/support/tickets", { query: { kind, page } }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function ticketQuery(reference: string) {
  return queryOptions({
    queryKey: [TICKETS_KEY, "one", reference],
    queryFn: () => get("/api/support/tickets/:reference", { params: { reference } }),
    refetchInterval: LOOK_AGAIN_MS,
  });
}
