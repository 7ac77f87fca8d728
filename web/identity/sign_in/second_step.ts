import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { useNavigate } from "react-router";
import { isLanguage, type Language } from "../../../src/shared/language.ts";
import { isApiError, type SignInUnderWay } from "../../api/api.ts";
import { announceSession, pathAfterSignIn } from "../../app/session.ts";

/** What every way of taking the second step is given. */
export type StepProps = {
  signIn: SignInUnderWay;
  /** When a new code may be asked for, in milliseconds since 1970. */
  resendAt: number;
  /** The account's other ways, to choose from. */
  others: ReactNode;
  /** The account takes no more codes: only a new password helps. */
  onBlocked: () => void;
};

type Answer = { language: Language };

/** Undefined where the account takes no more codes: that has a screen of its own, so it is no failure of the form. */
export function unlessBlocked(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    if (isApiError(error) && error.code === "PASSWORD_RESET_REQUIRED") return undefined;
    throw error;
  });
}

/** Goes on after the second step. */
export function useSignedIn(onBlocked: () => void) {
  const { locale } = useIntl();
  const navigate = useNavigate();
  return (answer: Answer | undefined) => {
    if (!answer) return onBlocked();
    announceSession("signed in");
    navigate(pathAfterSignIn(isLanguage(locale) ? locale : "en", answer.language), { replace: true });
  };
}
