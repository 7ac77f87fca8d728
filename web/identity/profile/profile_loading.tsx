import { Skeleton } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { profileQuery, subscriptionQuery } from "../../api/queries.ts";
import { areSettled, useOnce } from "../../ui/form/settled.ts";
import classes from "./profile.module.css";
import { activityQuery, factorsQuery, linkedProvidersQuery, sessionsQuery } from "./profile_queries.ts";

/** Whether all data has loaded that determines the height of the profile's sections. */
export function useProfileReady(): boolean {
  const isReady = useQueries({
    queries: [
      ...[profileQuery, subscriptionQuery, factorsQuery],
      ...[sessionsQuery, activityQuery, linkedProvidersQuery],
    ],
    combine: areSettled,
  });
  return useOnce(isReady);
}

/** A placeholder for the profile while it loads. */
export function ProfileLoading() {
  return (
    <div className={classes.columns}>
      <Skeleton height={420} radius="lg" className={classes.account} />
      <div className={classes.column}>
        {[240, 420, 200, 260].map((height) => (
          <Skeleton key={height} height={height} radius="lg" />
        ))}
      </div>
    </div>
  );
}
