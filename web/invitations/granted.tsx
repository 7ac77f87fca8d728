import { Button, Text, Title } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useParams } from "react-router";
import { toast } from "sonner";
import { type ConsentScope, NO_SCOPE } from "../../src/shared/consent.ts";
import type { ConsentLink } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useLanguage, useText } from "../app/i18n.tsx";
import { useScopeText } from "../shared/scope_choice.tsx";
import { ToldSources } from "../shared/told_sources.tsx";
import { Address } from "../ui/display/address.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { Fact } from "../ui/display/fact.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { CopyField } from "../ui/form/copy_field.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { useConsentAct } from "./link_query.ts";
import classes from "./manage_invitation.module.css";
import { RecordOfConsent } from "./parts.tsx";
import { RefusalButton } from "./refusal_button.tsx";
import { ScopeCards } from "./scope_cards.tsx";

type Props = {
  /** The token for this page's requests. */
  token: string;
  /** The token in the link for later. */
  manageToken: string;
  link: ConsentLink;
  /** True right after accepting. */
  isNew: boolean;
  onWithdrawn: (block: boolean) => void;
};

/** What was consented to, with buttons to change or withdraw it. */
export function Granted({ token, manageToken, link, isNew, onWithdrawn }: Props) {
  const text = useText();
  const isOwn = link.kind === "ownership";
  const { name } = link.inviter;
  return (
    <>
      <PageHead title={text(isOwn ? "ownership.granted" : "granted.heading", { name })}>
        {text(isOwn ? "ownership.granted_text" : "granted.lead", { name })}
      </PageHead>
      <div className={classes.sections}>
        {isNew && (
          <Notice icon={IconShieldCheck} tone="safe">
            <strong>{text(isOwn ? "ownership.done" : "granted.done")}</strong>
            {!isOwn && <Text inherit>{text("granted.next", { name })}</Text>}
          </Notice>
        )}
        <State link={link} />
        <section>
          <Title order={2}>{text("granted.link_title")}</Title>
          <Text mt={6}>{text("granted.link")}</Text>
          <CopyLink token={manageToken} />
        </section>
        <Change token={token} link={link} />
        <Ending token={token} link={link} onWithdrawn={onWithdrawn} />
        <section>
          <RecordOfConsent link={link} />
          <details className={classes.record}>
            <summary>{text("told.title")}</summary>
            <ToldSources told={link.told} />
          </details>
        </section>
      </div>
    </>
  );
}

function State({ link: { kind, address, scope, record, inviter } }: { link: ConsentLink }) {
  const text = useText();
  const scopeText = useScopeText();
  const since = record.findLast(({ act }) => act === "accepted")?.at;
  return (
    <dl className={classes.facts}>
      <Fact label={text(kind === "ownership" ? "ownership.address" : "consent.address")}>
        <Address>{address}</Address>
      </Fact>
      {since !== undefined && (
        <Fact label={text("granted.since")}>
          <Moment iso={since} />
        </Fact>
      )}
      {scope !== null && <Fact label={text("granted.sees", inviter)}>{scopeText(scope)}</Fact>}
    </dl>
  );
}

function Change({ token, link }: Pick<Props, "token" | "link">) {
  const text = useText();
  const language = useLanguage();
  const [scope, setScope] = useState(link.scope ?? NO_SCOPE);
  const { mutate, isPending } = useConsentAct({
    token,
    send: (chosen: ConsentScope) => post("/api/invitation-links/scope", { body: { token, ...chosen, language } }),
    failureTitle: "granted.save_failed",
    change: (answer) => answer,
    onDone: () => toast.success(text("granted.saved")),
  });
  function save(event: FormEvent) {
    event.preventDefault();
    mutate(scope);
  }
  return (
    <section>
      <form onSubmit={save}>
        <ScopeCards name={link.inviter.name} value={scope} onChange={setScope} />
        <Button type="submit" mt="md" loading={isPending}>
          {text("granted.save")}
        </Button>
      </form>
    </section>
  );
}

function Ending({ token, link, onWithdrawn }: Pick<Props, "token" | "link" | "onWithdrawn">) {
  const text = useText();
  const isOwn = link.kind === "ownership";
  const { name } = link.inviter;
  const { mutate, isPending } = useConsentAct({
    token,
    send: (block: boolean) => post("/api/invitation-links/withdraw", { body: { token, block } }),
    failureTitle: "granted.save_failed",
    onDone: (_, block) => onWithdrawn(block),
  });
  return (
    <section>
      <Title order={2}>{text(isOwn ? "ownership.end" : "withdraw.title")}</Title>
      <Text mt={6} mb="sm">
        {text(isOwn ? "ownership.end_text" : "withdraw.hint", { name })}
      </Text>
      <RefusalButton
        name={name}
        label={text(isOwn ? "ownership.end" : "withdraw.button")}
        question={text(isOwn ? "ownership.end_ask" : "withdraw.ask")}
        consequence={text(isOwn ? "ownership.end_text" : "withdraw.text", { name })}
        pending={isPending}
        onRefuse={mutate}
      />
    </section>
  );
}

/** The link to this page, to copy for later. */
function CopyLink({ token }: { token: string }) {
  const text = useText();
  const { lang } = useParams();
  return (
    <CopyField
      label={text("granted.link_title")}
      value={`${location.origin}/${lang}/manage-invitation#t=${token}`}
      words={{ copy: text("granted.copy"), copied: text("granted.copied"), failed: text("granted.copy_failed") }}
    />
  );
}
