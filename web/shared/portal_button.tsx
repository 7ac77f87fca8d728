import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { post } from "../api/call.ts";
import { useExternalRedirect } from "../app/external_redirect.ts";
import { useLanguage } from "../app/i18n.tsx";
import { DialogStack, useConfirmed } from "../ui/dialog/confirmation.tsx";

type Props = ButtonProps & { children: ReactNode };

/**
 * Opens the payment provider's portal: invoices, card, cancellation, open payments. The page has to load the topic
 * `billing`. The password dialog is included, as some of these pages have no `DialogStack`.
 */
export function PortalButton(props: Props) {
  return (
    <DialogStack>
      <PortalLink {...props} />
    </DialogStack>
  );
}

function PortalLink({ children, ...props }: Props) {
  const confirmed = useConfirmed();
  const language = useLanguage();
  const { go, pending } = useExternalRedirect({
    ask: () => confirmed(() => post("/api/portal", { body: { language } })),
    failureTitle: "portal.failed",
  });
  return (
    <Button variant="default" {...props} loading={pending} onClick={() => go()}>
      {children}
    </Button>
  );
}
