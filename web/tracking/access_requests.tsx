import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useIntl } from "react-intl";
import { toast } from "sonner";
import { FULL_SCOPE, NO_SCOPE } from "../../src/shared/consent.ts";
import { isLanguage } from "../../src/shared/language.ts";
import { type AccessRequest, type Agreement, api, type Dashboard } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
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

/** Who asks to watch the account's own address. */
export function AccessRequests({ requests, show }: Props) {
  const text = useText();
  const toPage = (requestsPage: number) => show({ requestsPage });
  useExistingPage(requests, toPage);
  return (
    <Section id="access-requests" title={text("requests.title")} count={requests.total} empty={text("requests.empty")}>
      <ul className={rows.rows}>
        {requests.items.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </ul>
      <Pager page={requests.page} pageSize={requests.pageSize} total={requests.total} onPage={toPage} />
    </Section>
  );
}

function RequestRow({ request }: { request: AccessRequest }) {
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
        <Accept request={request} />
        <Decline request={request} />
      </div>
    </li>
  );
}

function Accept({ request: { id, kind, inviter } }: { request: AccessRequest }) {
  const text = useText();
  const { locale } = useIntl();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useAction({
    call: (agreement: Agreement) => api.acceptRequest(id, agreement),
    failureTitle: "requests.failed",
    onDone: () => toast.success(text("requests.accepted", inviter)),
  });
  const language = isLanguage(locale) ? locale : "en";
  return (
    <>
      <Button size="sm" aria-label={text("requests.accept_label", inviter)} onClick={open}>
        {text("requests.accept")}
      </Button>
      <ScopeDialog
        opened={opened}
        title={text("requests.accept_title")}
        words={text(`requests.accept_${kind}`, inviter)}
        submitLabel={text("requests.accept")}
        name={inviter.name}
        initial={kind === "ownership" ? FULL_SCOPE : NO_SCOPE}
        pending={isPending}
        onSubmit={(scope) => mutate({ ...scope, language }, { onSettled: close })}
        onClose={close}
      />
    </>
  );
}

function Decline({ request: { id, inviter } }: { request: AccessRequest }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useAction({
    call: (block: boolean) => api.declineRequest(id, block),
    failureTitle: "requests.failed",
    onDone: () => toast.success(text("requests.declined", inviter)),
  });
  return (
    <>
      <Button size="sm" variant="default" aria-label={text("requests.decline_label", inviter)} onClick={open}>
        {text("requests.decline")}
      </Button>
      <RefusalDialog
        opened={opened}
        title={text("requests.decline_title")}
        words={text("requests.decline_text", inviter)}
        confirmLabel={text("requests.decline")}
        name={inviter.name}
        pending={isPending}
        onConfirm={(block) => mutate(block, { onSettled: close })}
        onClose={close}
      />
    </>
  );
}
