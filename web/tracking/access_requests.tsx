import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { toast } from "sonner";
import { FULL_SCOPE, NO_SCOPE } from "../../src/shared/consent.ts";
import type { AccessRequest, Agreement, Dashboard } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useLanguage, useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { Pager } from "../ui/display/pager.tsx";
import rows from "../ui/display/rows.module.css";
import { useExistingPage } from "../ui/display/use_existing_page.ts";
import type { Show } from "./dashboard_view.ts";
import { useAction } from "./queries.ts";
import { RefusalDialog } from "./refusal_dialog.tsx";
import { ScopeDialog } from "./scope_dialog.tsx";
import { Section } from "./section.tsx";

type Props = Pick<Dashboard, "requests"> & { show: Show };
type Asked = { request: AccessRequest; answer: "accept" | "decline" };
type Ask = (asked: Asked) => void;

/**
 * Requests of others to monitor the account's own address. The dialog is outside the rows, so that it stays open when
 * its row disappears.
 */
export function AccessRequests({ requests, show }: Props) {
  const text = useText();
  const [asked, setAsked] = useState<Asked>();
  const [opened, { open, close }] = useDisclosure();
  const toPage = (requestsPage: number) => show({ requestsPage });
  useExistingPage(requests, toPage);
  const question = { opened, onClose: close };
  function ask(next: Asked) {
    setAsked(next);
    open();
  }
  return (
    <>
      <Section
        id="access-requests"
        title={text("requests.title")}
        count={requests.total}
        empty={text("requests.empty")}
      >
        <ul className={rows.rows}>
          {requests.items.map((request) => (
            <RequestRow key={request.id} request={request} onAsk={ask} />
          ))}
        </ul>
        <Pager page={requests.page} pageSize={requests.pageSize} total={requests.total} onPage={toPage} />
      </Section>
      {asked?.answer === "accept" && <Accept key={asked.request.id} {...question} request={asked.request} />}
      {asked?.answer === "decline" && <Decline key={asked.request.id} {...question} request={asked.request} />}
    </>
  );
}

function RequestRow({ request, onAsk }: { request: AccessRequest; onAsk: Ask }) {
  const text = useText();
  const { kind, inviter, createdAt, expiresAt } = request;
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <h3 className={rows.name}>{text(`requests.${kind}`, inviter)}</h3>
        <p className={rows.facts}>
          <Address>{inviter.email}</Address>
          <span>
            {text("requests.asked")} <Moment iso={createdAt} />
          </span>
          <span>
            {text("requests.until")} <Moment iso={expiresAt} />
          </span>
        </p>
      </div>
      <div className={rows.actions}>
        <Button
          size="sm"
          aria-label={text("requests.accept_label", inviter)}
          onClick={() => onAsk({ request, answer: "accept" })}
        >
          {text("requests.accept")}
        </Button>
        <Button
          size="sm"
          variant="default"
          aria-label={text("requests.decline_label", inviter)}
          onClick={() => onAsk({ request, answer: "decline" })}
        >
          {text("requests.decline")}
        </Button>
      </div>
    </li>
  );
}

type QuestionProps = { request: AccessRequest; opened: boolean; onClose: () => void };

function Accept({ request: { id, kind, inviter }, opened, onClose }: QuestionProps) {
  const text = useText();
  const { mutate, isPending } = useAction({
    call: (agreement: Agreement) => post("/api/invitations/:id/accept", { params: { id }, body: agreement }),
    failureTitle: "requests.failed",
    onDone: () => toast.success(text("requests.accepted", inviter)),
  });
  const language = useLanguage();
  return (
    <ScopeDialog
      opened={opened}
      title={text("requests.accept_title")}
      words={text(`requests.accept_${kind}`, inviter)}
      submitLabel={text("requests.accept")}
      name={inviter.name}
      initial={kind === "ownership" ? FULL_SCOPE : NO_SCOPE}
      pending={isPending}
      onSubmit={(scope) => mutate({ ...scope, language }, { onSettled: onClose })}
      onClose={onClose}
    />
  );
}

function Decline({ request: { id, inviter }, opened, onClose }: QuestionProps) {
  const text = useText();
  const { mutate, isPending } = useAction({
    call: (block: boolean) => post("/api/invitations/:id/decline", { params: { id }, body: { block } }),
    failureTitle: "requests.failed",
    onDone: () => toast.success(text("requests.declined", inviter)),
  });
  return (
    <RefusalDialog
      opened={opened}
      title={text("requests.decline_title")}
      words={text("requests.decline_text", inviter)}
      confirmLabel={text("requests.decline")}
      name={inviter.name}
      pending={isPending}
      onConfirm={(block) => mutate(block, { onSettled: onClose })}
      onClose={onClose}
    />
  );
}
