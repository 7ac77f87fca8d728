import { useQuery } from "@tanstack/react-query";
import { isDrill } from "../../src/shared/breach.ts";
import { pendingAlertsQuery } from "../api/queries.ts";

/** The association whose fire drill is pending, if any; a drill is among the newest alerts. */
export function useDrilled(): string | undefined {
  const { data } = useQuery(pendingAlertsQuery);
  return data?.items.find(({ breach }) => breach !== null && isDrill(breach))?.associationId;
}
