import { useEffect } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { TERMS_PATHS } from "../../src/shared/terms.ts";
import type { Me } from "../api/api.ts";
import { splitPath } from "./language.ts";

/** What somebody came for that has nothing to do with the own account, and what has to be read before an answer. */
const FREE = [
  "accept-terms",
  TERMS_PATHS.terms,
  TERMS_PATHS.privacy,
  "manage-invitation",
  "manage-contact",
  "confirm-email",
  "success-order",
  "service-status",
  "sign-in",
  "error-page",
];

/** Whether the terms in force still wait for this account's answer. */
export function isAsked({ terms }: Pick<Me, "terms">): boolean {
  return terms.accepted !== terms.current;
}

/** Whether a page, without its language, waits until the question for the terms is answered. */
export function waitsForTerms(page: string): boolean {
  return !FREE.includes(page.split("/")[1] ?? "");
}

/**
 * Leads to the question for the terms in force while it is open, and from there back. The server asks nothing of the kind:
 * whoever has not answered is watched and told as before.
 */
export function useTermsQuestion(me: Me | undefined): boolean {
  const { pathname, search } = useLocation();
  const { lang } = useParams();
  const navigate = useNavigate();
  const asked = me !== undefined && isAsked(me);
  const waits = asked && waitsForTerms(splitPath(pathname).rest);
  useEffect(() => {
    if (waits) void navigate(`/${lang}/accept-terms`, { replace: true, state: { from: pathname + search } });
  }, [waits, lang, pathname, search, navigate]);
  return asked;
}
