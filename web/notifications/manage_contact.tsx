import { Anchor, Button, Text as Paragraph, Skeleton, Stack } from "@mantine/core";
import { type Icon, IconLinkOff, IconMailCheck, IconMailOff, IconMailQuestion } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { type ContactLink, isApiError } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useExplain, useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { useLinkToken } from "../app/link_token.ts";
import { Address } from "../ui/display/address.tsx";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { IncompleteLink } from "../ui/form/incomplete_link.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { type Answer, stepOf } from "./contact_step.ts";
import classes from "./manage_contact.module.css";

/** The page of links in messages. Opening it changes nothing, as mail scanners follow links; its button does. */
export default function ManageContact() {
  const token = useLinkToken();
  const text = useText();
  return (
    <Card className={classes.card}>
      <PageHead title={text("contact.title")} />
      {token === undefined ? <IncompleteLink /> : <Inspected key={token} token={token} />}
    </Card>
  );
}

function Broken({ children }: { children: ReactNode }) {
  const text = useText();
  return (
    <EmptyState
      order={2}
      icon={IconLinkOff}
      tone="alarm"
      title={text("contact.broken")}
      action={
        <Anchor component={Link} to="../login">
          {text("contact.to_login")}
        </Anchor>
      }
    >
      {children}
    </EmptyState>
  );
}

function Inspected({ token }: { token: string }) {
  const text = useText();
  const explain = useExplain();
  const { data, error, refetch } = useQuery({
    queryKey: ["/api/contact-links/inspect", token],
    queryFn: () => post("/api/contact-links/inspect", { body: { token } }),
    gcTime: 0,
  });
  if (data) return <Answerable token={token} link={data} />;
  if (!error) return <Skeleton height={180} radius="lg" />;
  if (isApiError(error) && error.code === "LINK_INVALID") return <Broken>{explain(error)}</Broken>;
  return <LoadFailure title={text("contact.load_failed")} error={error} onRetry={() => refetch()} />;
}

const ICONS: Record<Answer, Icon> = { confirm: IconMailQuestion, unsubscribe: IconMailOff, resubscribe: IconMailCheck };

function Answerable({ token, link }: { token: string; link: ContactLink }) {
  const text = useText();
  const [state, setState] = useState(link.state);
  const { mutate, isPending } = useMutation({
    mutationFn: (answer: Answer) => post(`/api/contact-links/${answer}`, { body: { token } }),
    onSuccess: (answered) => setState(answered.state),
    onError: useShowError("contact.title"),
  });
  const { answer, title, explanation, button } = stepOf(link, state);
  return (
    <div aria-live="polite">
      <EmptyState
        order={2}
        icon={answer === undefined ? IconMailCheck : ICONS[answer]}
        tone={state === "active" ? "safe" : "accent"}
        title={text(title)}
        action={
          answer &&
          button && (
            <Button
              size="md"
              variant={answer === "unsubscribe" ? "default" : "filled"}
              loading={isPending}
              onClick={() => mutate(answer)}
            >
              {text(button)}
            </Button>
          )
        }
      >
        <Stack gap="xs">
          <Paragraph fw={650} c="var(--mantine-color-text)">
            <Address>{link.value}</Address>
          </Paragraph>
          <Paragraph>{text(explanation)}</Paragraph>
        </Stack>
      </EmptyState>
    </div>
  );
}
