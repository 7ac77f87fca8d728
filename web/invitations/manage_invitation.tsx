import { Skeleton, Text } from "@mantine/core";
import { IconLinkOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ConsentLink } from "../api/api.ts";
import { useErrorText, useText } from "../app/i18n.tsx";
import { useLinkToken } from "../app/link_token.ts";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { IncompleteLink } from "../ui/form/incomplete_link.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { type End, Ended } from "./ended.tsx";
import { Granted } from "./granted.tsx";
import { consentLinkQuery, isInvalidLink } from "./link_query.ts";
import classes from "./manage_invitation.module.css";
import { OwnershipQuestion } from "./ownership_question.tsx";
import { Onwards, PrivacyLink } from "./parts.tsx";
import { Question } from "./question.tsx";

/** The page of invitation links, usable without an account. Opening it changes nothing; its buttons do. */
export default function ManageInvitation() {
  const token = useLinkToken();
  return (
    <Card className={classes.card}>
      {token === undefined ? <Incomplete /> : <Inspected key={token} token={token} />}
      <PrivacyLink />
      <Onwards />
    </Card>
  );
}

function Incomplete() {
  const text = useText();
  return (
    <>
      <PageHead title={text("consent.title")} />
      <IncompleteLink />
    </>
  );
}

function Broken({ children }: { children: string }) {
  const text = useText();
  return (
    <>
      <PageHead title={text("consent.title")} />
      <div role="alert">
        <EmptyState order={2} icon={IconLinkOff} tone="alarm" title={text("consent.broken")}>
          <Text inherit>{children}</Text>
          <Text inherit mt="sm">
            {text("consent.broken_next")}
          </Text>
        </EmptyState>
      </div>
    </>
  );
}

/** Of the question, before it is loaded. */
const HEIGHT = 720;

function Inspected({ token }: { token: string }) {
  const text = useText();
  const errorText = useErrorText();
  const { data: link, error, refetch } = useQuery(consentLinkQuery(token));
  const [end, setEnd] = useState<End>();
  useHeadingFocus(end?.act ?? link?.purpose);
  if (link && end) return <Ended end={end} link={link} />;
  if (isInvalidLink(error)) return <Broken>{errorText("INVITATION_INVALID")}</Broken>;
  if (link) return <Steps token={token} link={link} onEnd={setEnd} />;
  return (
    <>
      <PageHead title={text("consent.title")} />
      {error ? (
        <LoadFailure title={text("consent.load_failed")} error={error} onRetry={() => refetch()} height={HEIGHT} />
      ) : (
        <Skeleton height={HEIGHT} radius="lg" />
      )}
    </>
  );
}

type StepsProps = { token: string; link: ConsentLink; onEnd: (end: End) => void };

/** The question, and after acceptance the consent. */
function Steps({ token, link, onEnd }: StepsProps) {
  const [manageToken, setManageToken] = useState<string>();
  if (link.purpose === "manage") {
    return (
      <Granted
        token={token}
        manageToken={manageToken ?? token}
        link={link}
        isNew={manageToken !== undefined}
        onWithdrawn={(block) => onEnd({ act: "withdrawn", block })}
      />
    );
  }
  const Asked = link.kind === "ownership" ? OwnershipQuestion : Question;
  return (
    <Asked
      token={token}
      link={link}
      onAccepted={setManageToken}
      onDeclined={(block) => onEnd({ act: "declined", block })}
    />
  );
}

/** Focuses the heading of the next step, as the clicked button has been removed. */
function useHeadingFocus(step: string | undefined) {
  const shown = useRef(step);
  useEffect(() => {
    const isFirst = shown.current === undefined;
    if (step === shown.current) return;
    shown.current = step;
    if (isFirst) return;
    document.querySelector("h1")?.focus();
    scrollTo({ top: 0 });
  }, [step]);
}
