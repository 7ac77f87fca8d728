import { Button, Loader } from "@mantine/core";
import { IconUserX } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Link, useLoaderData, useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { api, type FailureCode, isApiError, type Provider, type Returned } from "../../api/api.ts";
import { useExplain } from "../../app/errors.tsx";
import type { Admission } from "../../app/guards.ts";
import { useErrorText, useText } from "../../app/i18n.tsx";
import { isProvider } from "../../shared/provider_names.ts";
import { EmptyState } from "../../ui/display/empty_state.tsx";
import { BackToLogin } from "./back_to_login.tsx";
import { type ProviderAnswer, useProviderAnswer } from "./provider_answer.ts";
import classes from "./provider_buttons.module.css";
import { PROVIDERS } from "./providers.tsx";
import { EntranceCard } from "./sign_in_card.tsx";
import type { FromProvider } from "./why_here.tsx";

/** The redirect target for sign-in providers. */
export default function ProviderReturn() {
  const { provider } = useParams();
  const answer = useProviderAnswer();
  const errorText = useErrorText();
  if (answer && isProvider(provider)) return <Finishing provider={provider} answer={answer} />;
  return <Refused>{errorText("PROVIDER_REFUSED")}</Refused>;
}

function Finishing({ provider, answer }: { provider: Provider; answer: ProviderAnswer }) {
  const text = useText();
  const explain = useExplain();
  // The response can be used only once; a query sends it once even if the component is mounted again.
  const { data, error } = useQuery({
    queryKey: ["/api/providers/finish", answer.state],
    queryFn: () => api.finishProvider(provider, answer),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  useOnwards(provider, data);
  if (error) return <Refused code={isApiError(error) ? error.code : "GENERIC"}>{explain(error)}</Refused>;
  return (
    <EntranceCard title={text("login.provider", { provider: PROVIDERS[provider].name })} below={<BackToLogin />}>
      <div role="status" className={classes.waiting}>
        <Loader size="md" aria-hidden="true" />
        {text("provider.wait", { provider: PROVIDERS[provider].name })}
      </div>
    </EntranceCard>
  );
}

/** Replaces the history entry, since going back to the provider's page or this one would fail. */
function useOnwards(provider: Provider, returned: Returned | undefined) {
  const { lang } = useParams();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const text = useText();
  useEffect(() => {
    if (!returned) return;
    const go = (page: string, state?: FromProvider) => navigate(`/${lang}/${page}`, { replace: true, state });
    if (returned.outcome === "second_step") return void go("verify-code");
    if (returned.outcome === "no_account") return void go("register", { provider, profile: returned.profile });
    // With an id, since loading texts can run this effect again, which would duplicate the toast.
    toast.success(text("provider.linked", { provider: PROVIDERS[provider].name }), { id: "provider-linked" });
    void queryClient.invalidateQueries({ queryKey: ["/api/providers"] });
    void go("profile");
  }, [returned, provider, lang, navigate, queryClient, text]);
}

function Refused({ code, children }: { code?: FailureCode; children: ReactNode }) {
  const { lang } = useParams();
  const { level } = useLoaderData() as Admission;
  const text = useText();
  const next = {
    ...(level === "authenticated"
      ? { page: "profile", label: text("provider.to_profile") }
      : { page: "login", label: text("verify.back") }),
    ...(code === "PASSWORD_RESET_REQUIRED" && { page: "forgot-password", label: text("verify.new_password") }),
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
            <Button component={Link} to={`/${lang}/${next.page}`} size="md">
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
