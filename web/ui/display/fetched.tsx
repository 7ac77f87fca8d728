import { Skeleton } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useExplain } from "../../app/errors.tsx";
import { LoadFailure } from "./load_failure.tsx";

export type Fetch<Value> = Pick<UseQueryResult<Value>, "data" | "error"> & { refetch: () => unknown };

type Props<Value> = {
  query: Fetch<Value>;
  /** The heading where it could not be fetched. */
  failureTitle: string;
  /** About the height of what will be there. */
  height: number;
  children: (value: Value) => ReactNode;
};

/** What a query brings; its place while it is fetched; or that it could not be. */
export function Fetched<Value>({ query, failureTitle, height, children }: Props<Value>) {
  const explain = useExplain();
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error) return <LoadFailure title={failureTitle} message={explain(error)} onRetry={() => refetch()} />;
  return <Skeleton height={height} radius="md" />;
}
