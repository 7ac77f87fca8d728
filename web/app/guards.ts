import { type LoaderFunctionArgs, type Params, redirect } from "react-router";
import { type AuthLevel, type Instance, isApiError } from "../api/api.ts";
import { get } from "../api/call.ts";
import type { ServiceNotice } from "../api/service_api.ts";
import { keepDrafts } from "../forms/drafts.ts";
import { splitPath } from "./language.ts";
import { noteEnded, noteLevel, rememberRefused, rememberReturn, takeReturn } from "./session.ts";

/** The access levels of the specification. */
export type Access = "public" | "noLogin" | "partialLogin" | "fullLogin" | "staff";

/**
 * A further condition that a route sets for a signed-in user, given the route parameters. Resolves to the error code
 * for the error page, or undefined when it is met.
 */
export type Condition = (params: Params) => Promise<string | undefined>;

/** Where a user with this level is redirected, if anywhere. `unknown` means that the session check failed. */
export function redirectTarget(access: Access, level: AuthLevel | "unknown"): "login" | "dashboard" | undefined {
  if (access === "fullLogin" || access === "staff") return level === "authenticated" ? undefined : "login";
  if (access === "partialLogin" && level !== "partial") return level === "authenticated" ? "dashboard" : "login";
  if (access === "noLogin" && level === "authenticated") return "dashboard";
  return undefined;
}

/** The address of the error page for a code. */
export function errorPath(language: string, code: string): string {
  return `/${language}/error-page?err=${encodeURIComponent(code)}`;
}

export const activeSubscription: Condition = async () => {
  const { status } = await get("/api/check-subscription/");
  return status === "inactive" ? "USER_INACTIVE" : undefined;
};

export const freeCapacity: Condition = async () => {
  const { can_add_more } = await get("/api/check-aggiungere-email/");
  return can_add_more ? undefined : "USER_INSUFFICIENT";
};

/** The call rejects with the error code when the association belongs to another account. */
export const ownAssociation: Condition = async ({ association_id = "" }) => {
  await get("/api/check-user-belong-association/", { query: { association_id } });
  return undefined;
};

/** The call rejects with the error code when the account may not see this address. */
export const authorisedMonitoring: Condition = async ({ child_email = "" }) => {
  await get("/api/check-user-autorizzato-monitoraggio/", { query: { child_email } });
  return undefined;
};

/** For everybody else the page does not exist. */
const isStaff: Condition = async () => ((await get("/api/me")).staff ? undefined : "404");

/** The code of the first condition that is not met, in order. A check that fails counts as not met. */
export async function firstUnmet(conditions: readonly Condition[], params: Params): Promise<string | undefined> {
  for (const condition of conditions) {
    const code = await condition(params).catch((error: unknown) => (isApiError(error) ? error.code : "GENERIC"));
    if (code !== undefined) return code;
  }
  return undefined;
}

/** What the route loader tells the page about the current user. */
export type Admission = {
  level: AuthLevel | "unknown";
  /** The operator's notice shown above the page. */
  notice?: ServiceNotice | undefined;
};

/**
 * Whether this installation has the page. If the instance cannot be fetched, the page opens and shows the failure
 * itself.
 */
export type Existence = (instance: Instance) => boolean;

async function isMissing(isThere: Existence | undefined): Promise<boolean> {
  if (isThere === undefined) return false;
  return get("/api/instance").then(
    (instance) => !isThere(instance),
    () => false,
  );
}

/** The session may end between the session check and the conditions. */
const SESSION_END = ["SESSION_EXPIRED", "UNAUTHENTICATED"];

function isOpen({ pathname }: URL): boolean {
  return splitPath(pathname).rest === splitPath(location.pathname).rest;
}

type Demands = { conditions?: readonly Condition[]; isThere?: Existence | undefined };

/** The loader of a route: checks the session before every navigation, then opens the page or redirects. */
export function guard(access: Access, { conditions = [], isThere }: Demands = {}) {
  return async ({ request, params }: LoaderFunctionArgs): Promise<Admission | Response> => {
    const language = params.lang ?? "en";
    const asked = get("/api/check-user-authentication/").then(
      (answer) => answer.auth_level,
      () => "unknown" as const,
    );
    const [level, missing] = await Promise.all([asked, isMissing(isThere)]);
    if (missing) return redirect(errorPath(language, "404"));
    const wanted = new URL(request.url);
    const hasExpired = level !== "unknown" && noteLevel(level);
    // The open page is loaded again on a language change or when restored from the back-forward cache.
    if (hasExpired && isOpen(wanted)) keepDrafts();
    const elsewhere = redirectTarget(access, level);
    if (elsewhere === "login" && (access === "fullLogin" || access === "staff")) {
      rememberReturn(wanted);
      if (level === "unauthenticated") noteEnded();
    }
    // Another tab has signed in: continue to the page that was requested before the login.
    const before = elsewhere === "dashboard" ? takeReturn() : undefined;
    if (elsewhere !== undefined) return redirect(before ?? `/${language}/${elsewhere}`);
    const code =
      level === "authenticated"
        ? await firstUnmet(access === "staff" ? [isStaff, ...conditions] : conditions, params)
        : undefined;
    if (code === undefined) return { level };
    rememberRefused(wanted);
    if (SESSION_END.includes(code)) rememberReturn(wanted);
    return redirect(errorPath(language, code));
  };
}
