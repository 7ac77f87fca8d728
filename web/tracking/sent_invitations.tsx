import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { api, type SentInvitation } from "../api.ts";
import { useText } from "../i18n.tsx";
import { Address } from "../ui/address.tsx";
import { Badge } from "../ui/badge.tsx";
import { ConfirmDialog } from "../ui/confirm_dialog.tsx";
import { Moment } from "../ui/dates.tsx";
import { Pager } from "../ui/pager.tsx";
import rows from "../ui/rows.module.css";
import { useExistingPage } from "../ui/use_existing_page.ts";
import { sentInvitationsQuery, useAction } from "./queries.ts";
import { Section } from "./section.tsx";

/** Whom the account has asked, and who has not answered yet. */
export function SentInvitations() {
  const text = useText();
  const [page, setPage] = useState(1);
  const query = useQuery(sentInvitationsQuery(page));
  useExistingPage(query.data, setPage);
  return (
    <Section
      id="sent-invitations"
      title={text("sent.title")}
      query={query}
      count={({ total }) => total}
      empty={text("sent.empty")}
      failureTitle={text("sent.load_failed")}
    >
      {({ items, total, pageSize, page: shown }) => (
        <>
          <ul className={rows.rows}>
            {items.map((invitation) => (
              <SentRow key={invitation.id} invitation={invitation} />
            ))}
          </ul>
          <Pager page={shown} pageSize={pageSize} total={total} onPage={setPage} />
        </>
      )}
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
    call: () => api.cancelInvitation(id),
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
