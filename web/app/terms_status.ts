import { useEffect } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { TERMS_PATHS } from "../../src/shared/terms.ts";
import type { Me } from "../api/api.ts";
import { splitPath } from "./language.ts";

/**
 * Pages that stay reachable before the terms are accepted: those about another account's request, and those needed to
 * decide.
 */
const EXEMPT_PAGES = [
  "accept-terms",
  TERMS_PATHS.terms,
  TERMS_PATHS.privacy,
  "manage-invitation",
  "manage-contact",
  "domain-notice",
  "confirm-email",
  "confirm-alias",
  "success-order",
  "service-status",
  "sign-in",
  "error-page",
];

/** Whether the account has not yet accepted the terms in force. */
export function isAsked({ terms }: Pick<Me, "terms">): boolean {
  return terms.accepted !== terms.current;
}

/** Whether a page (path without language) is blocked until the terms are accepted. */
export function waitsForTerms(page: string): boolean {
  return !EXEMPT_PAGES.includes(page.split("/")[1] ?? "");
}

/**
 * Redirects to the terms while the account has not accepted the current version, and back afterwards. The server does
 * not enforce it: monitoring and alerts continue without an answer.
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
