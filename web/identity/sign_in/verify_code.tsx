import { Button, Skeleton } from "@mantine/core";
import { IconLockExclamation } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useState } from "react";
import { Link } from "react-router";
import type { Method, SignInUnderWay } from "../../api/api.ts";
import { get } from "../../api/call.ts";
import { useErrorText, useText } from "../../app/i18n.tsx";
import { EmptyState } from "../../ui/display/empty_state.tsx";
import { LoadFailure } from "../../ui/display/load_failure.tsx";
import { AppCode } from "./app_code.tsx";
import { BackToLogin } from "./back_to_login.tsx";
import { MailedCode } from "./mailed_code.tsx";
import { OtherWays } from "./other_ways.tsx";
import { PasskeyStep } from "./passkey_step.tsx";
import { RecoveryCode } from "./recovery_code.tsx";
import type { StepProps } from "./second_step.ts";
import { EntranceCard } from "./sign_in_card.tsx";
import type { TypedEmail } from "./typed_email.ts";

const STEPS: Record<Method, ComponentType<StepProps>> = {
  email: MailedCode,
  authenticator: AppCode,
  passkey: PasskeyStep,
  recovery_code: RecoveryCode,
};

const LOOK_AGAIN_MS = 10_000;

/** The second step of signing in. Its state comes from the server, so that it survives a reload. */
export default function VerifyCode() {
  const text = useText();
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ["/api/sign-in"],
    queryFn: () => get("/api/sign-in"),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    // Whether mails can be sent may change, also right after this one was to be sent.
    refetchInterval: ({ state }) => (state.data?.methods.includes("email") ? LOOK_AGAIN_MS : false),
  });
  if (data) return <SecondStep signIn={data} resendAt={dataUpdatedAt + data.resendAfter * 1000} />;
  return (
    <EntranceCard title={text("verify.title")} below={<BackToLogin />}>
      {error ? (
        <LoadFailure title={text("verify.load_failed")} error={error} onRetry={() => refetch()} />
      ) : (
        <Skeleton height={220} radius="lg" />
      )}
    </EntranceCard>
  );
}

function SecondStep({ signIn, resendAt }: { signIn: SignInUnderWay; resendAt: number }) {
  const [first = "email"] = signIn.methods;
  const [method, setMethod] = useState<Method>(first);
  const [blocked, setBlocked] = useState(false);
  if (blocked) return <Blocked email={signIn.email} />;
  const Step = STEPS[method];
  const others = signIn.methods.filter((other) => other !== method);
  return (
    <Step
      key={method}
      signIn={signIn}
      resendAt={resendAt}
      others={<OtherWays methods={others} onChoose={setMethod} />}
      onBlocked={() => setBlocked(true)}
    />
  );
}

function Blocked({ email }: TypedEmail) {
  const text = useText();
  const errorText = useErrorText();
  return (
    <EntranceCard title={text("verify.page")} below={<BackToLogin />}>
      <div role="alert">
        <EmptyState
          order={2}
          icon={IconLockExclamation}
          tone="alarm"
          title={text("verify.blocked")}
          action={
            <Button component={Link} to="../forgot-password" state={{ email } satisfies TypedEmail} size="md" autoFocus>
              {text("verify.new_password")}
            </Button>
          }
        >
          {errorText("PASSWORD_RESET_REQUIRED")}
        </EmptyState>
      </div>
    </EntranceCard>
  );
}
