import { Skeleton, Stack } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { ownDomainQuery } from "../api/domains_api.ts";
import { contactsQuery, figuresQuery, subscriptionQuery } from "../api/queries.ts";
import { areSettled, useOnce } from "../ui/form/settled.ts";
import type { DashboardView } from "./dashboard_view.ts";
import { dashboardQuery } from "./queries.ts";

/** Whether all data has loaded that the dashboard's layout depends on. */
export function useDashboardReady(view: DashboardView): boolean {
  const isReady = useQueries({
    queries: [dashboardQuery(view), figuresQuery, subscriptionQuery, contactsQuery(), ownDomainQuery],
    combine: areSettled,
  });
  return useOnce(isReady);
}

/** A placeholder for the dashboard while it loads. */
export function DashboardLoading() {
  return (
    <Stack gap="md">
      <Skeleton height={48} maw={520} radius="lg" />
      <Skeleton height={36} radius="lg" />
      <Skeleton height={320} radius="lg" />
    </Stack>
  );
}
