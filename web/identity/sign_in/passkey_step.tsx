import { Button } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isApiError } from "../../api/api.ts";
import { useShowError } from "../../app/errors.tsx";
import { useErrorText, useText } from "../../app/i18n.tsx";
import {
  cancelPasskey,
  type PasskeyProblem,
  passkeyProblem,
  passkeysSupported,
  type StartedBy,
  signInByPasskey,
} from "../factors/passkey.ts";
import { BackToLogin } from "./back_to_login.tsx";
import { type StepProps, unlessBlocked, useSignedIn } from "./second_step.ts";
import { EntranceCard } from "./sign_in_card.tsx";
import classes from "./verify_code.module.css";

/** Requests the passkey immediately; a browser that requires a user gesture gets it from the button. */
export function PasskeyStep({ others, onBlocked }: StepProps) {
  const text = useText();
  const { start, pending, problem } = usePasskey(onBlocked);
  const supported = passkeysSupported();
  return (
    <EntranceCard
      title={text("verify.passkey_title")}
      lead={text(supported ? "verify.passkey_lead" : "verify.passkey_unsupported")}
      below={<BackToLogin />}
    >
      <div className={classes.step}>
        {supported && (
          <Button
            size="md"
            autoFocus
            loading={pending}
            leftSection={<IconFingerprint size={20} stroke={1.75} aria-hidden="true" />}
            onClick={() => start("button")}
          >
            {text("verify.passkey_use")}
          </Button>
        )}
        {problem && (
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
        )}
        {others}
      </div>
    </EntranceCard>
  );
}

function usePasskey(onBlocked: () => void) {
  const text = useText();
  const errorText = useErrorText();
  const showError = useShowError("verify.failed");
  const [problem, setProblem] = useState<PasskeyProblem>();
  const { mutate, isPending } = useMutation({
    mutationFn: (_: StartedBy) => unlessBlocked(signInByPasskey()),
    onMutate: () => setProblem(undefined),
    onSuccess: useSignedIn(onBlocked),
    onError: (error, by) => {
      setProblem(passkeyProblem(error, by));
      if (isApiError(error) && passkeyProblem(error, by) === undefined) showError(error);
    },
  });
  useEffect(() => {
    if (!passkeysSupported()) return;
    mutate("screen");
    return () => void cancelPasskey();
  }, [mutate]);
  const words: Record<PasskeyProblem, string> = {
    refused: errorText("PASSKEY_INVALID"),
    cancelled: text("verify.passkey_cancelled"),
    failed: text("verify.passkey_failed"),
  };
  return { start: mutate, pending: isPending, problem: problem && words[problem] };
}
