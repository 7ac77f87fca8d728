import { Button, Text as Paragraph, Skeleton } from "@mantine/core";
import { type Icon, IconAt, IconLinkOff, IconMailCheck, IconMailOff } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLoaderData } from "react-router";
import { type EmailChangeLink, isApiError } from "../../api/api.ts";
import { post } from "../../api/call.ts";
import { useShowError } from "../../app/errors.tsx";
import type { Admission } from "../../app/guards.ts";
import { useErrorText, useText } from "../../app/i18n.tsx";
import { useLinkToken } from "../../app/link_token.ts";
import type { TextId } from "../../app/text_id.ts";
import { Address } from "../../ui/display/address.tsx";
import { EmptyState } from "../../ui/display/empty_state.tsx";
import { LoadFailure } from "../../ui/display/load_failure.tsx";
import { IncompleteLink } from "../../ui/form/incomplete_link.tsx";
import classes from "./confirm_email.module.css";
import { EntranceCard } from "./sign_in_card.tsx";

/**
 * The page of the link that confirms a new email. Opening it changes nothing, as mail scanners follow links; its button
 * does.
 */
export default function ConfirmEmail() {
  const token = useLinkToken();
  const text = useText();
  return (
    <div className={classes.page}>
      <EntranceCard title={text("confirm_email.title")}>
        {token === undefined ? <IncompleteLink /> : <Inspected key={token} token={token} />}
      </EntranceCard>
    </div>
  );
}

/** Errors with a screen of their own, since retrying does not help. */
const FINAL = ["EMAIL_LINK_INVALID", "EMAIL_TAKEN"] as const;
type Final = (typeof FINAL)[number];

function finalOf(error: unknown): Final | undefined {
  return FINAL.find((code) => isApiError(error) && error.code === code);
}

function Inspected({ token }: { token: string }) {
  const text = useText();
  const { data, error, refetch } = useQuery({
    queryKey: ["/api/email-change/inspect", token],
    queryFn: () => post("/api/email-change/inspect", { body: { token } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const final = finalOf(error);
  if (final) return <Unusable code={final} />;
  if (error) return <LoadFailure title={text("confirm_email.check_failed")} error={error} onRetry={() => refetch()} />;
  return data ? <Confirmable token={token} {...data} /> : <Skeleton height={320} radius="lg" />;
}

function Confirmable({ token, email, account }: EmailChangeLink & { token: string }) {
  const text = useText();
  const queryClient = useQueryClient();
  const showError = useShowError("confirm_email.failed");
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => post("/api/email-change/confirm", { body: { token } }),
    onSuccess: async () => {
      for (const path of ["/api/me", "/api/profile"]) await queryClient.invalidateQueries({ queryKey: [path] });
    },
    onError: (failure) => finalOf(failure) ?? showError(failure),
  });
  const final = finalOf(error);
  if (final) return <Unusable code={final} />;
  if (data)
    return (
      <Shown
        icon={IconMailCheck}
        tone="safe"
        title={text("confirm_email.done")}
        email={data.email}
        action={<Onwards />}
      >
        {text("confirm_email.done_text")}
      </Shown>
    );
  return (
    <Shown
      icon={IconAt}
      title={text("confirm_email.question")}
      email={email}
      action={
        <Button size="md" loading={isPending} onClick={() => mutate()}>
          {text("confirm_email.confirm")}
        </Button>
      }
    >
      {text("confirm_email.hint", { name: account.name, account: account.email })}
    </Shown>
  );
}

type ShownProps = { icon: Icon; tone?: "safe"; title: string; email: string; action: ReactNode; children: ReactNode };

function Shown({ email, children, ...state }: ShownProps) {
  return (
    <div aria-live="polite">
      <EmptyState {...state} order={2}>
        <Paragraph fw={650} c="var(--mantine-color-text)" mb="xs">
          <Address>{email}</Address>
        </Paragraph>
        {children}
      </EmptyState>
    </div>
  );
}

/** Continues to the profile, or to the login with the new email. */
function Onwards() {
  const { level } = useLoaderData() as Admission;
  const text = useText();
  const [page, label]: [string, TextId] =
    level === "authenticated" ? ["profile", "confirm_email.to_profile"] : ["login", "confirm_email.to_login"];
  return (
    <Button component={Link} to={`../${page}`} size="md">
      {text(label)}
    </Button>
  );
}

function Unusable({ code }: { code: Final }) {
  const text = useText();
  const errorText = useErrorText();
  const dead = code === "EMAIL_LINK_INVALID";
  return (
    <div role="alert">
      <EmptyState
        order={2}
        icon={dead ? IconLinkOff : IconMailOff}
        tone="alarm"
        title={text(dead ? "confirm_email.broken" : "confirm_email.taken")}
        action={<Onwards />}
      >
        {errorText(code)}
      </EmptyState>
    </div>
  );
}
