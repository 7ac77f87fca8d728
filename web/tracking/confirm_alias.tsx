import { Anchor, Button, Text as Paragraph, Skeleton, Stack } from "@mantine/core";
import { IconLinkOff, IconMailCheck, IconMailQuestion } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { isApiError } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { useLinkToken } from "../app/link_token.ts";
import { Address } from "../ui/display/address.tsx";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { IncompleteLink } from "../ui/form/incomplete_link.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import classes from "./track_form.module.css";

/** The page of links mailed to aliases. Opening it changes nothing, as mail scanners follow links; its button does. */
export default function ConfirmAlias() {
  const token = useLinkToken();
  const text = useText();
  return (
    <Card className={classes.card}>
      <PageHead title={text("alias.confirm_title")} />
      {token === undefined ? <IncompleteLink /> : <Inspected key={token} token={token} />}
    </Card>
  );
}

const isInvalid = (error: unknown) => isApiError(error) && error.code === "LINK_INVALID";

function Inspected({ token }: { token: string }) {
  const text = useText();
  const { data, error, refetch } = useQuery({
    queryKey: ["/api/aliases/inspect", token],
    queryFn: () => post("/api/aliases/inspect", { body: { token } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data) return <Question token={token} {...data} />;
  if (!error) return <Skeleton height={180} radius="lg" />;
  if (isInvalid(error)) return <Broken />;
  return <LoadFailure title={text("alias.check_failed")} error={error} onRetry={() => refetch()} />;
}

type QuestionProps = { token: string; address: string; account: { name: string; email: string } };

function Question({ token, address, account: { name, email } }: QuestionProps) {
  const text = useText();
  const showError = useShowError("alias.confirm_failed");
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => post("/api/aliases/confirm", { body: { token } }),
    onError: (failure) => isInvalid(failure) || showError(failure),
  });
  if (isInvalid(error)) return <Broken />;
  return (
    <div aria-live="polite">
      <EmptyState
        order={2}
        icon={isSuccess ? IconMailCheck : IconMailQuestion}
        tone={isSuccess ? "safe" : "accent"}
        title={text(isSuccess ? "alias.done" : "alias.question")}
        action={
          !isSuccess && (
            <Button size="md" loading={isPending} onClick={() => mutate()}>
              {text("alias.confirm")}
            </Button>
          )
        }
      >
        <Stack gap="xs">
          <Paragraph fw={650} c="var(--mantine-color-text)">
            <Address>{address}</Address>
          </Paragraph>
          <Paragraph>{isSuccess ? text("alias.done_text") : text("alias.hint", { name, account: email })}</Paragraph>
        </Stack>
      </EmptyState>
    </div>
  );
}

function Broken() {
  const text = useText();
  return (
    <div role="alert">
      <EmptyState
        order={2}
        icon={IconLinkOff}
        tone="alarm"
        title={text("alias.broken")}
        action={
          <Anchor component={Link} to="../login">
            {text("alias.to_login")}
          </Anchor>
        }
      >
        {text("alias.broken_text")}
      </EmptyState>
    </div>
  );
}
