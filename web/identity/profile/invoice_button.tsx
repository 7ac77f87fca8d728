import { Button } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { Order } from "../../api/billing_api.ts";
import { post } from "../../api/call.ts";
import { useShowError } from "../../app/errors.tsx";
import { useText } from "../../app/i18n.tsx";
import { useFormatDate } from "../../ui/display/format_date.ts";

/** Opens an order's invoice at the payment provider in a new tab. */
export function InvoiceButton({ order: { id, at, number } }: { order: Order }) {
  const text = useText();
  const formatDate = useFormatDate();
  const showError = useShowError("orders.invoice_failed");
  const { mutate, isPending } = useMutation({ mutationFn: () => post("/api/orders/:id/invoice", { params: { id } }) });
  function open() {
    // Opened synchronously in the click handler, or the browser would block it as a pop-up.
    const tab = window.open("", "_blank");
    if (tab) tab.opener = null;
    mutate(undefined, {
      onSuccess: ({ url }) => (tab ?? window).location.assign(url),
      onError(error) {
        tab?.close();
        showError(error);
      },
    });
  }
  return (
    <Button
      variant="default"
      size="xs"
      loading={isPending}
      rightSection={<IconExternalLink size={16} aria-hidden="true" />}
      aria-label={text("orders.invoice_label", { name: number ?? formatDate(at, { dateStyle: "medium" }) })}
      onClick={open}
    >
      {text("orders.invoice")}
    </Button>
  );
}
