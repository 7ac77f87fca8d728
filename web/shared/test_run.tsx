import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { get } from "../api/call.ts";
import { useRefreshContacts } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { DeliveryList } from "./delivery_list.tsx";
import { lookAgain } from "./delivery_words.ts";

/** The delivery states of test messages, polled until all are final. */
function testsQuery(ids: string[]) {
  return queryOptions({
    queryKey: ["/api/test-alerts", ids],
    queryFn: ({ signal }) => get("/api/test-alerts", { query: { ids: ids.join(",") }, signal }),
    refetchInterval: ({ state }) => lookAgain(state.data?.items),
  });
}

/** The progress of test messages; refetches the contacts when all are final, as their state may have changed. */
export function TestRun({ ids, besideContacts = false }: { ids: string[]; besideContacts?: boolean }) {
  const text = useText();
  const query = useQuery(testsQuery(ids));
  const refresh = useRefreshContacts();
  const items = query.data?.items;
  const hasEnded = items !== undefined && lookAgain(items) === false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, when all are final
  useEffect(() => {
    if (hasEnded) void refresh();
  }, [hasEnded]);
  return (
    <div aria-live="polite">
      <Fetched query={query} failureTitle={text("test_alerts.results_failed")} height={64 * ids.length}>
        {({ items: deliveries }) => (
          <DeliveryList
            deliveries={deliveries.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))}
            besideContacts={besideContacts}
          />
        )}
      </Fetched>
    </div>
  );
}
