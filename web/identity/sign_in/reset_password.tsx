import { Button, Skeleton } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { IconLinkOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { resetPasswordInput } from "../../../src/identity/inputs.ts";
import { isApiError, type NewPassword } from "../../api/api.ts";
import { post } from "../../api/call.ts";
import { useErrorText, useText } from "../../app/i18n.tsx";
import { useLinkToken } from "../../app/link_token.ts";
import { useServerForm } from "../../forms/forms.ts";
import { EmptyState } from "../../ui/display/empty_state.tsx";
import { LoadFailure } from "../../ui/display/load_failure.tsx";
import { IncompleteLink } from "../../ui/form/incomplete_link.tsx";
import { PasswordField } from "../../ui/form/password_field.tsx";
import { BackToLogin } from "./back_to_login.tsx";
import { PasswordChecklist } from "./password_checklist.tsx";
import { NoPasswords, useProvidersOnly } from "./providers_only.tsx";
import { EntranceCard, SignInCard } from "./sign_in_card.tsx";

/** The page of the link in the mail about a forgotten password. */
export default function ResetPassword() {
  const token = useLinkToken();
  if (useProvidersOnly()) return <NoPasswords title="reset.title" />;
  return token === undefined ? <Incomplete /> : <Checked key={token} token={token} />;
}

function Incomplete() {
  const text = useText();
  return (
    <EntranceCard title={text("reset.title")} below={<BackToLogin />}>
      <IncompleteLink />
      <Button component={Link} to="../forgot-password" variant="subtle" fullWidth mt="sm">
        {text("reset.request")}
      </Button>
    </EntranceCard>
  );
}

function isDeadLink(error: unknown): boolean {
  return isApiError(error) && error.code === "RESET_LINK_INVALID";
}

function Checked({ token }: { token: string }) {
  const text = useText();
  const [usedUp, setUsedUp] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["/api/reset-password/check", token],
    queryFn: () => post("/api/reset-password/check", { body: { token } }),
    gcTime: 0,
    // Not fetched again when the window regains the focus, for example after using a password manager.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (usedUp || isDeadLink(error)) return <DeadLink />;
  if (data) return <ChoosePassword token={token} onDeadLink={() => setUsedUp(true)} />;
  return (
    <EntranceCard title={text("reset.title")} below={<BackToLogin />}>
      {error ? (
        <LoadFailure title={text("reset.check_failed")} error={error} onRetry={() => refetch()} />
      ) : (
        <Skeleton height={260} radius="lg" />
      )}
    </EntranceCard>
  );
}

function DeadLink() {
  const text = useText();
  const errorText = useErrorText();
  return (
    <EntranceCard title={text("reset.title")} below={<BackToLogin />}>
      <div role="alert">
        <EmptyState
          order={2}
          icon={IconLinkOff}
          tone="alarm"
          title={text("reset.broken")}
          action={
            <Button component={Link} to="../forgot-password" size="md">
              {text("reset.request")}
            </Button>
          }
        >
          {errorText("RESET_LINK_INVALID")}
        </EmptyState>
      </div>
    </EntranceCard>
  );
}

/** False if the link expired or was used while the form was open, which has a screen of its own. */
function changePassword(body: NewPassword): Promise<boolean> {
  return post("/api/reset-password", { body }).then(
    () => true,
    (error: unknown) => {
      if (isDeadLink(error)) return false;
      throw error;
    },
  );
}

function ChoosePassword({ token, onDeadLink }: { token: string; onDeadLink: () => void }) {
  const { lang } = useParams();
  const navigate = useNavigate();
  const text = useText();
  const { form, element, field, submit, pending } = useServerForm({
    initialValues: { token, password: "", confirmPassword: "" },
    validate: schemaResolver(resetPasswordInput, { sync: true }),
    send: changePassword,
    failureTitle: "reset.failed",
    onSuccess: (changed) => {
      if (!changed) return onDeadLink();
      toast.success(text("reset.done"));
      navigate(`/${lang}/login`, { replace: true });
    },
  });
  return (
    <SignInCard
      title={text("reset.title")}
      lead={text("reset.lead")}
      formRef={element}
      onSubmit={submit}
      below={<BackToLogin />}
    >
      <div>
        <PasswordField
          label={text("reset.new_password")}
          autoComplete="new-password"
          aria-details="password-rules"
          size="md"
          {...field("password")}
        />
        <PasswordChecklist id="password-rules" password={form.values.password} isRenewed />
      </div>
      <PasswordField
        label={text("field.confirm_password")}
        autoComplete="new-password"
        size="md"
        {...field("confirmPassword")}
      />
      <Button type="submit" size="md" loading={pending}>
        {text("reset.submit")}
      </Button>
    </SignInCard>
  );
}
