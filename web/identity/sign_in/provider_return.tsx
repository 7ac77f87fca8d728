import { Button, Loader } from "@mantine/core";
import { IconUserX } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Link, useLoaderData, useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { type FailureCode, isApiError, type Returned } from "../../api/api.ts";
import { post } from "../../api/call.ts";
import { instanceQuery } from "../../api/queries.ts";
import { useExplain } from "../../app/errors.tsx";
import type { Admission } from "../../app/guards.ts";
import { useErrorText, useLanguage, useText } from "../../app/i18n.tsx";
import { announceSession, pathAfterSignIn, takeConfirmation } from "../../app/session.ts";
import type { TextId } from "../../app/text_id.ts";
import { EmptyState } from "../../ui/display/empty_state.tsx";
import { BackToLogin } from "./back_to_login.tsx";
import { type ProviderAnswer, useProviderAnswer } from "./provider_answer.ts";
import classes from "./provider_buttons.module.css";
import { useProviders } from "./providers.tsx";
import { useProvidersOnly } from "./providers_only.tsx";
import { EntranceCard } from "./sign_in_card.tsx";
import type { FromProvider } from "./why_here.tsx";

/** The redirect target for sign-in providers. */
export default function ProviderReturn() {
  const { provider = "" } = useParams();
  const answer = useProviderAnswer();
  const errorText = useErrorText();
  if (answer) return <Finishing provider={provider} answer={answer} />;
  return <Refused>{errorText("PROVIDER_REFUSED")}</Refused>;
}

type FinishingProps = { provider: string; answer: ProviderAnswer };

function Finishing({ provider, answer }: FinishingProps) {
  const text = useText();
  const explain = useReason(provider);
  const language = useLanguage();
  const { label } = useProviders()(provider);
  // The response can be used only once; a query sends it once even if the component is mounted again.
  const { data, error } = useQuery({
    queryKey: ["/api/providers/finish", answer.state],
    queryFn: () => post("/api/providers/:provider/finish", { params: { provider }, body: { ...answer, language } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  useOnwards(provider, data);
  if (error) return <Refused code={isApiError(error) ? error.code : "GENERIC"}>{explain(error)}</Refused>;
  return (
    <EntranceCard title={text("login.provider", { provider: label })} below={<BackToLogin />}>
      <div role="status" className={classes.waiting}>
        <Loader size="md" aria-hidden="true" />
        {text("provider.wait", { provider: label })}
      </div>
    </EntranceCard>
  );
}

/** Reasons that are explained in another way where there are no passwords. */
const WITHOUT_PASSWORDS: Partial<Record<FailureCode, TextId>> = {
  PROVIDER_EMAIL_UNVERIFIED: "provider.unverified",
  PROVIDER_ALREADY_LINKED: "provider.other_login",
  PASSWORD_RESET_REQUIRED: "provider.too_many_codes",
};

/** Returns a function that says why the login failed, and what to do. */
function useReason(provider: string) {
  const text = useText();
  const explain = useExplain();
  const errorText = useErrorText();
  const isOnly = useProvidersOnly();
  const { label } = useProviders()(provider);
  const email = useQuery(instanceQuery).data?.operator.supportEmail ?? "";
  return (error: unknown): ReactNode => {
    const code = isApiError(error) ? error.code : undefined;
    // No provider of this installation: the address was made up, or is of a provider that is gone.
    if (code === "NOT_FOUND") return errorText("PROVIDER_REFUSED");
    const other = isOnly && code !== undefined ? WITHOUT_PASSWORDS[code] : undefined;
    return other ? text(other, { provider: label, email }) : explain(error);
  };
}

/** Replaces the history entry, since going back to the provider's page or this one would fail. */
function useOnwards(provider: string, returned: Returned | undefined) {
  const { lang } = useParams();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const text = useText();
  const language = useLanguage();
  const { label } = useProviders()(provider);
  useEffect(() => {
    if (!returned) return;
    const go = (path: string, state?: FromProvider) => void navigate(path, { replace: true, state });
    switch (returned.outcome) {
      case "second_step":
        return go(`/${lang}/verify-code`);
      case "signed_in":
        announceSession("signed in");
        return go(pathAfterSignIn(language, returned.language));
      case "no_account":
        return go(`/${lang}/register`, { provider, profile: returned.profile });
      case "confirmed":
        // With an id, since loading texts can run this effect again, which would duplicate the toast.
        toast.success(text("provider.confirmed"), { id: "provider-confirmed" });
        return go(takeConfirmation() ?? `/${lang}/profile`);
      case "linked":
        toast.success(text("provider.linked", { provider: label }), { id: "provider-linked" });
        void queryClient.invalidateQueries({ queryKey: ["/api/providers"] });
        return go(`/${lang}/profile`);
    }
  }, [returned, provider, label, lang, language, navigate, queryClient, text]);
}

function Refused({ code, children }: { code?: FailureCode; children: ReactNode }) {
  const { level } = useLoaderData() as Admission;
  const text = useText();
  const isOnly = useProvidersOnly();
  const next = {
    ...(level === "authenticated"
      ? { page: "profile", label: text("provider.to_profile") }
      : { page: "login", label: text("verify.back") }),
    ...(code === "PASSWORD_RESET_REQUIRED" &&
      !isOnly && { page: "forgot-password", label: text("verify.new_password") }),
  };
  return (
    <EntranceCard title={text("provider.page")}>
      <div role="alert">
        <EmptyState
          order={2}
          icon={IconUserX}
          tone="alarm"
          title={text("provider.failed")}
          action={
            <Button component={Link} to={`../${next.page}`} size="md">
              {next.label}
            </Button>
          }
        >
          {children}
        </EmptyState>
      </div>
    </EntranceCard>
  );
}
