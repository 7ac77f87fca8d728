import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { billingApi } from "../api/billing_api.ts";
import { useExternalRedirect } from "../app/external_redirect.ts";
import { useLanguage } from "../app/i18n.tsx";
import { DialogStack, useConfirmed } from "../ui/dialog/confirmation.tsx";

type Props = ButtonProps & { children: ReactNode };

/**
 * To the payment provider's own pages: invoices, card, cancelling, what is open. The page loads the topic `billing`; the
 * question for the password comes with the button, as it stands on pages that ask for nothing else.
 */
export function PortalButton(props: Props) {
  return (
    <DialogStack>
      <WayOut {...props} />
    </DialogStack>
  );
}

function WayOut({ children, ...props }: Props) {
  const confirmed = useConfirmed();
  const language = useLanguage();
  const { go, pending } = useExternalRedirect({
    ask: () => confirmed(() => billingApi.portal(language)),
    failureTitle: "portal.failed",
  });
  return (
    <Button variant="default" {...props} loading={pending} onClick={() => go()}>
      {children}
    </Button>
  );
}
