import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { Language } from "../../../src/shared/language.ts";
import { isApiError, type SignInUnderWay } from "../../api/api.ts";
import { useLanguage } from "../../app/i18n.tsx";
import { announceSession, pathAfterSignIn } from "../../app/session.ts";

/** Props of every second factor's step. */
export type StepProps = {
  signIn: SignInUnderWay;
  /** When a new code can be requested, in milliseconds since 1970. */
  resendAt: number;
  /** The account's other second factors, to switch to. */
  others: ReactNode;
  /** Called when the account accepts no more codes; only a password reset helps. */
  onBlocked: () => void;
};

type Answer = { language: Language };

/**
 * Resolves to undefined if the account accepts no more codes: that is a screen of its own, not an error of the form.
 */
export function unlessBlocked(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    if (isApiError(error) && error.code === "PASSWORD_RESET_REQUIRED") return undefined;
    throw error;
  });
}

/** Returns a function that continues after the second factor. */
export function useSignedIn(onBlocked: () => void) {
  const language = useLanguage();
  const navigate = useNavigate();
  return (answer: Answer | undefined) => {
    if (!answer) return onBlocked();
    announceSession("signed in");
    navigate(pathAfterSignIn(language, answer.language), { replace: true });
  };
}
