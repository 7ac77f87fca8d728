import { Text as Paragraph } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useText } from "../app/i18n.tsx";
import { DeliveryList } from "../shared/delivery_list.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { deliveriesQuery } from "./queries.ts";

/** The messages sent about an alert, with their delivery states. */
export function AlertDeliveries({ id }: { id: string }) {
  const text = useText();
  const query = useQuery(deliveriesQuery(id));
  return (
    <section aria-label={text("delivery.title")}>
      <Fetched query={query} failureTitle={text("delivery.load_failed")} height={72}>
        {({ items, removedAfterDays: days }) =>
          items.length === 0 ? (
            <Paragraph c="dimmed">
              {days === undefined ? text("delivery.none") : text("delivery.removed", { days })}
            </Paragraph>
          ) : (
            <DeliveryList deliveries={items} />
          )
        }
      </Fetched>
    </section>
  );
}
