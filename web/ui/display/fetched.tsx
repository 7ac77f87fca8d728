import { Skeleton } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LoadFailure } from "./load_failure.tsx";

export type Fetch<Value> = Pick<UseQueryResult<Value>, "data" | "error"> & { refetch: () => unknown };

type Props<Value> = {
  query: Fetch<Value>;
  /** The heading of the error message. */
  failureTitle: string;
  /** The approximate height of the content, for the placeholder. */
  height: number;
  /** Something else that the content needs is still loading. */
  awaits?: boolean;
  children: (value: Value) => ReactNode;
};

/** The result of a query, with a placeholder while it loads and an error message with a retry. */
export function Fetched<Value>({ query, failureTitle, height, awaits = false, children }: Props<Value>) {
  const { data, error, refetch } = query;
  if (data !== undefined && !awaits) return children(data);
  if (error) return <LoadFailure title={failureTitle} error={error} onRetry={() => refetch()} height={height} />;
  return <Skeleton height={height} radius="md" />;
}
