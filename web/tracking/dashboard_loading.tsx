import { Skeleton, Stack } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { contactsQuery, figuresQuery, pendingAlertsQuery, subscriptionQuery } from "../queries.ts";
import { areSettled, useOnce } from "../ui/settled.ts";
import {
  accessRequestsQuery,
  associationsQuery,
  EVERY_ADDRESS,
  mayWatchQuery,
  sentInvitationsQuery,
  watchedByQuery,
} from "./queries.ts";
import classes from "./summary.module.css";

/** Whether everything is known of which the dashboard is put together: notices, figures, and the first page of each list. */
export function useDashboardReady(): boolean {
  const isReady = useQueries({
    queries: [
      associationsQuery(EVERY_ADDRESS),
      ...[pendingAlertsQuery, figuresQuery, subscriptionQuery, contactsQuery()],
      ...[mayWatchQuery(1), watchedByQuery(1), sentInvitationsQuery(1), accessRequestsQuery(1)],
    ],
    combine: areSettled,
  });
  return useOnce(isReady);
}

/** The dashboard's outline. */
export function DashboardLoading() {
  return (
    <Stack gap="xl">
      <div className={classes.summary}>
        {["alerts", "capacity", "plan"].map((fact) => (
          <Skeleton key={fact} height={116} radius="lg" />
        ))}
      </div>
      <Skeleton height={36} maw={640} radius="xl" />
      {["first", "second", "third"].map((card) => (
        <Skeleton key={card} height={132} radius="lg" />
      ))}
    </Stack>
  );
}
