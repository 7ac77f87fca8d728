import { Skeleton } from "@mantine/core";
import classes from "./service_status.module.css";

/** A placeholder for the page while it loads. */
export function StatusLoading() {
  return (
    <div className={classes.parts}>
      <Skeleton height={48} radius="md" />
      <Skeleton height={220} radius="md" />
      <Skeleton height={260} radius="md" />
      <Skeleton height={420} radius="md" />
    </div>
  );
}
