import { Button, Group, Text, Title } from "@mantine/core";
import { useState } from "react";
import { type ConsentScope, NO_SCOPE } from "../../src/shared/consent.ts";
import { PRODUCT } from "../../src/shared/product.ts";
import type { ConsentLink } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useLanguage, useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { Fact } from "../ui/display/fact.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { useConsentAct } from "./link_query.ts";
import classes from "./manage_invitation.module.css";
import { RecordOfConsent } from "./parts.tsx";
import { RefusalButton } from "./refusal_button.tsx";
import { ScopeCards } from "./scope_cards.tsx";

type Props = {
  token: string;
  link: ConsentLink;
  onAccepted: (manageToken: string) => void;
  onDeclined: (block: boolean) => void;
};

/** Accepts by the link; records the language in which the consent text was read. */
export function useAccept({ token, onAccepted }: Pick<Props, "token" | "onAccepted">) {
  const language = useLanguage();
  return useConsentAct({
    token,
    send: (scope: ConsentScope) => post("/api/invitation-links/accept", { body: { token, ...scope, language } }),
    failureTitle: "consent.failed",
    change: ({ scope }) => ({ purpose: "manage", state: "accepted", scope, expiresAt: null }),
    onDone: ({ manageToken }) => onAccepted(manageToken),
  });
}

export function useDecline({ token, onDeclined }: Pick<Props, "token" | "onDeclined">) {
  return useConsentAct({
    token,
    send: (block: boolean) => post("/api/invitation-links/decline", { body: { token, block } }),
    failureTitle: "consent.failed",
    onDone: (_, block) => onDeclined(block),
  });
}

/**
 * Asks the owner of an address for consent: who asks, what they would see, how to withdraw. The smallest scope is
 * preselected.
 */
export function Question({ token, link, onAccepted, onDeclined }: Props) {
  const text = useText();
  const [scope, setScope] = useState(NO_SCOPE);
  const accept = useAccept({ token, onAccepted });
  const decline = useDecline({ token, onDeclined });
  const { address, expiresAt } = link;
  const { name } = link.inviter;
  return (
    <>
      <PageHead title={text("consent.heading", { name })}>{text("consent.lead", { name })}</PageHead>
      <div className={classes.sections}>
        <dl className={classes.facts}>
          <Fact label={text("consent.who")}>{name}</Fact>
          <Fact label={text("consent.address")}>
            <Address>{address}</Address>
          </Fact>
          {expiresAt !== null && (
            <Fact label={text("consent.until")}>
              <Moment iso={expiresAt} />
            </Fact>
          )}
        </dl>
        <Text>{text("consent.about", { product: PRODUCT })}</Text>
        <ScopeCards name={name} value={scope} onChange={setScope} />
        <section>
          <Title order={2} size="h3">
            {text("consent.stop_title")}
          </Title>
          <Text mt={6}>{text("consent.stop")}</Text>
        </section>
        <Group gap="sm">
          <Button size="md" loading={accept.isPending} onClick={() => accept.mutate(scope)}>
            {text("consent.accept")}
          </Button>
          <RefusalButton
            name={name}
            label={text("consent.decline")}
            question={text("decline.ask")}
            consequence={text("decline.text", { name })}
            pending={decline.isPending}
            onRefuse={decline.mutate}
          />
        </Group>
        <RecordOfConsent link={link} />
      </div>
    </>
  );
}
