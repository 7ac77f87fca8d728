import { Anchor, Text as Paragraph, Skeleton } from "@mantine/core";
import { IconLinkOff } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLoaderData } from "react-router";
import { toast } from "sonner";
import { isApiError } from "../api/api.ts";
import { post } from "../api/call.ts";
import type { Say } from "../api/domains_api.ts";
import { useShowError } from "../app/errors.tsx";
import type { Admission } from "../app/guards.ts";
import { useErrorText, useText } from "../app/i18n.tsx";
import { useLinkToken } from "../app/link_token.ts";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { IncompleteLink } from "../ui/form/incomplete_link.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import classes from "./person.module.css";
import { Person } from "./person.tsx";
import { domainLinkQuery } from "./queries.ts";

/** Of the page, before it is loaded. */
const HEIGHT = 720;

/** The page of mailed links, usable without an account. Opening it changes nothing; its button does. */
export default function DomainNotice() {
  const text = useText();
  const token = useLinkToken();
  return (
    <Card className={classes.card}>
      {token === undefined ? (
        <>
          <PageHead title={text("domain_notice.title")} />
          <IncompleteLink />
        </>
      ) : (
        <Inspected key={token} token={token} />
      )}
    </Card>
  );
}

function isInvalidLink(error: unknown): boolean {
  return isApiError(error) && error.code === "LINK_INVALID";
}

function Inspected({ token }: { token: string }) {
  const text = useText();
  const { data: view, error, refetch } = useQuery(domainLinkQuery(token));
  const { answer, isPending } = useAnswer(token);
  if (isInvalidLink(error)) return <Broken />;
  if (view)
    return (
      <>
        <Person view={view} pending={isPending} onAnswer={answer} />
        <Onwards />
      </>
    );
  return (
    <>
      <PageHead title={text("domain_notice.title")} />
      {error ? (
        <LoadFailure
          title={text("domain_notice.load_failed")}
          error={error}
          onRetry={() => refetch()}
          height={HEIGHT}
        />
      ) : (
        <Skeleton height={HEIGHT} radius="lg" />
      )}
    </>
  );
}

/** Sends the person's choice. */
function useAnswer(token: string) {
  const text = useText();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (say: Say) => post("/api/domain-links/answer", { body: { token, say } }),
    onSuccess: () => toast.success(text("domain_notice.saved")),
    onError: useShowError("domain_notice.save_failed"),
    onSettled: () => void queryClient.invalidateQueries(domainLinkQuery(token)),
  });
  return { answer: mutate, isPending };
}

function Broken() {
  const text = useText();
  const errorText = useErrorText();
  return (
    <>
      <PageHead title={text("domain_notice.title")} />
      <div role="alert">
        <EmptyState order={2} icon={IconLinkOff} tone="alarm" title={text("domain_notice.broken")}>
          <Paragraph inherit>{errorText("LINK_INVALID")}</Paragraph>
          <Paragraph inherit mt="sm">
            {text("domain_notice.broken_next")}
          </Paragraph>
        </EmptyState>
      </div>
    </>
  );
}

/** An account with this address adds alerts on channels of one's own. */
function Onwards() {
  const text = useText();
  const { level } = useLoaderData() as Admission;
  if (level === "authenticated") return null;
  return (
    <p className={classes.onwards}>
      {text("domain_notice.account")}{" "}
      <Anchor component={Link} to="../register" inherit underline="always">
        {text("domain_notice.register")}
      </Anchor>
    </p>
  );
}
