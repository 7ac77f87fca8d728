import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { toast } from "sonner";
import type { Dashboard, SentInvitation } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { Pager } from "../ui/display/pager.tsx";
import rows from "../ui/display/rows.module.css";
import { useExistingPage } from "../ui/display/use_existing_page.ts";
import type { Show } from "./dashboard_view.ts";
import { useAction } from "./queries.ts";
import { Section } from "./section.tsx";

type Props = Pick<Dashboard, "sent"> & { show: Show };

/** Invitations that have not been answered. */
export function SentInvitations({ sent, show }: Props) {
  const text = useText();
  const toPage = (sentPage: number) => show({ sentPage });
  useExistingPage(sent, toPage);
  return (
    <Section id="sent-invitations" title={text("sent.title")} count={sent.total} empty={text("sent.empty")}>
      <ul className={rows.rows}>
        {sent.items.map((invitation) => (
          <SentRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
      <Pager page={sent.page} pageSize={sent.pageSize} total={sent.total} onPage={toPage} />
    </Section>
  );
}

function SentRow({ invitation }: { invitation: SentInvitation }) {
  const text = useText();
  const { address, kind, sentAt, expiresAt } = invitation;
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <h3 className={rows.name}>
          <Address>{address}</Address>
          <Badge tone={kind === "ownership" ? "accent" : "quiet"}>{text(`sent.${kind}`)}</Badge>
        </h3>
        <p className={rows.facts}>
          {sentAt === null ? (
            <span>{text("sent.waiting")}</span>
          ) : (
            <>
              <span>
                {text("sent.sent_on")} <Moment iso={sentAt} />
              </span>
              <span>
                {text("sent.expires")} <Moment iso={expiresAt} />
              </span>
            </>
          )}
        </p>
      </div>
      <Cancel invitation={invitation} />
    </li>
  );
}

function Cancel({ invitation: { id, address } }: { invitation: SentInvitation }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useAction({
    call: () => post("/api/invitations/:id/cancel", { params: { id } }),
    failureTitle: "sent.cancel_failed",
    onDone: () => toast.success(text("sent.cancelled", { address })),
  });
  return (
    <>
      <Button variant="default" size="sm" aria-label={text("sent.cancel_label", { address })} onClick={open}>
        {text("sent.cancel")}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={text("sent.cancel_title")}
        confirmLabel={text("sent.cancel")}
        keepLabel={text("sent.keep")}
        danger
        pending={isPending}
        onConfirm={() => mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        {text("sent.cancel_text", { address })}
      </ConfirmDialog>
    </>
  );
}
