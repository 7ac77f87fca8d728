import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useRefreshContacts } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { DeliveryList } from "../shared/delivery_list.tsx";
import { lookAgain } from "../shared/delivery_words.ts";
import { Fetched } from "../ui/display/fetched.tsx";
import { testsQuery } from "./queries.ts";

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
