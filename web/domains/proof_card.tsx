import { Button, Text, Title } from "@mantine/core";
import { useState } from "react";
import { shownDomain } from "../../src/shared/shown_address.ts";
import { put } from "../api/call.ts";
import type { Domain } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { CheckNow } from "./check_now.tsx";
import { CodeProof } from "./code_proof.tsx";
import classes from "./domains.module.css";
import { ProofChoice } from "./proof_choice.tsx";
import { choiceOf, FIRST_CHOICE } from "./proof_values.ts";
import { PublishedProof } from "./published_proof.tsx";
import { useDomainAction } from "./queries.ts";

/** How to prove a domain that is not proven, or whose proof is missing. */
export function ProofCard({ domain }: { domain: Domain }) {
  const text = useText();
  const { name, proof, state, codeSent, record } = domain;
  const isWaiting = state === "waiting";
  return (
    <section aria-labelledby="proof" data-screen-only>
      <Card className={classes.card}>
        <Title order={2} size="h3" id="proof">
          {text(isWaiting ? "domain.waiting_title" : "domain.prove", { domain: shownDomain(name) })}
        </Title>
        <StateText domain={domain} />
        {proof === "mail" ? (
          (!isWaiting || codeSent) && <CodeProof domain={domain} />
        ) : (
          <>
            <PublishedProof domain={domain} />
            {domain.state === "pending" && <Text>{text("domain.pending_text")}</Text>}
            <CheckNow key={record?.value} domain={domain} />
          </>
        )}
        {!isWaiting && <AnotherWay domain={domain} />}
      </Card>
    </section>
  );
}

/** What the state means for the administrator. */
function StateText({ domain: { state, proof, effectiveAt } }: { domain: Domain }) {
  const text = useText();
  const formatDate = useFormatDate();
  if (state === "pending") return null;
  if (state === "waiting" && effectiveAt !== null) {
    const date = formatDate(effectiveAt, { dateStyle: "long", timeStyle: "short" });
    return <Text>{text(proof === "mail" ? "domain.waiting_mail" : "domain.waiting_text", { date })}</Text>;
  }
  if (state === "ended") return <Text>{text("domain.ended_text")}</Text>;
  return <Text>{text(proof === "mail" ? "domain.failing_mail" : "domain.failing_text")}</Text>;
}

/** Another proof, or the same one with a new value. */
function AnotherWay({ domain: { id, proof, mailbox } }: { domain: Domain }) {
  const text = useText();
  const [choice, setChoice] = useState({ proof, mailbox: mailbox ?? FIRST_CHOICE.mailbox });
  const { mutate, isPending } = useDomainAction({
    call: () => put("/api/domains/:id/proof", { params: { id }, body: choiceOf(choice) }),
    failureTitle: "domain.change_failed",
  });
  return (
    <details className={classes.more}>
      <summary>{text("domain.other_way")}</summary>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <ProofChoice values={choice} onChange={(change) => setChoice({ ...choice, ...change })} />
        <div>
          <Button type="submit" variant="default" loading={isPending}>
            {text("domain.use_way")}
          </Button>
        </div>
      </form>
    </details>
  );
}
