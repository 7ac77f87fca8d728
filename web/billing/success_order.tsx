import { Skeleton } from "@mantine/core";
import { IconReceiptOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { isApiError } from "../api/api.ts";
import { instanceQuery } from "../api/queries.ts";
import { useErrorText, useText } from "../app/i18n.tsx";
import { useLinkToken } from "../app/link_token.ts";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { useRefreshPlan } from "./buying.ts";
import classes from "./order.module.css";
import { Onwards, Order } from "./order.tsx";
import { orderQuery } from "./queries.ts";

/** The page to which the payment page redirects; the provider's webhook may arrive earlier or later. */
export default function SuccessOrder() {
  const session = useLinkToken();
  const text = useText();
  return (
    <div className={classes.page}>
      <PageHead title={text("order.title")} />
      <Card>{session === undefined ? <Unnamed /> : <Asked key={session} session={session} />}</Card>
    </div>
  );
}

function Asked({ session }: { session: string }) {
  const text = useText();
  const refresh = useRefreshPlan();
  const { data, error, refetch } = useQuery(orderQuery(session));
  const { data: instance, isPending } = useQuery(instanceQuery);
  const isPaid = data?.state === "paid";
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, when the payment is complete
  useEffect(() => {
    if (isPaid) void refresh();
  }, [isPaid]);
  if (data && !isPending) return <Order order={data} isSandbox={instance?.billing === "sandbox"} />;
  if (isApiError(error) && error.code === "ORDER_NOT_FOUND") return <NotFound />;
  if (error) return <LoadFailure title={text("order.failed")} error={error} onRetry={() => refetch()} />;
  return <Skeleton className={classes.waiting} radius="md" />;
}

/** Opened without the purchase that it is about, as when the address was copied. */
function Unnamed() {
  const text = useText();
  return (
    <EmptyState order={2} icon={IconReceiptOff} title={text("order.unnamed")} action={<Onwards next="subscription" />}>
      {text("order.unnamed_text")}
    </EmptyState>
  );
}

function NotFound() {
  const text = useText();
  const errorText = useErrorText();
  return (
    <div role="alert">
      <EmptyState
        order={2}
        icon={IconReceiptOff}
        tone="alarm"
        title={text("order.not_found")}
        action={<Onwards next="subscription" />}
      >
        {errorText("ORDER_NOT_FOUND")}
      </EmptyState>
    </div>
  );
}
