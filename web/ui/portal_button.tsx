import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { billingApi } from "../billing_api.ts";
import { useWayOut } from "../way_out.ts";

/** To the payment provider's own pages: invoices, card, cancelling, what is open. The page loads the topic `billing`. */
export function PortalButton({ children, ...props }: ButtonProps & { children: ReactNode }) {
  const { go, pending } = useWayOut({ ask: billingApi.portal, failureTitle: "portal.failed" });
  return (
    <Button variant="default" {...props} loading={pending} onClick={() => go()}>
      {children}
    </Button>
  );
}
