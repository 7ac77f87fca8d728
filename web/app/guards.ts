import { type LoaderFunctionArgs, type Params, redirect } from "react-router";
import { type AuthLevel, api, type Instance, isApiError } from "../api/api.ts";
import type { ServiceNotice } from "../api/service_api.ts";
import { keepDrafts } from "../forms/drafts.ts";
import { splitPath } from "./language.ts";
import { noteEnded, noteLevel, rememberRefused, rememberReturn, takeReturn } from "./session.ts";

/** Who may open a route: the specification's access levels. */
export type Access = "public" | "noLogin" | "partialLogin" | "fullLogin" | "staff";

/**
 * A further demand of a route, with the parts of its path, on somebody signed in: the `err` of the error page when it is not
 * met.
 */
export type Condition = (params: Params) => Promise<string | undefined>;

/** Where somebody of this level is sent instead, if anywhere. `unknown`: the check itself failed. */
export function detour(access: Access, level: AuthLevel | "unknown"): "login" | "dashboard" | undefined {
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
  const { status } = await api.checkSubscription();
  return status === "inactive" ? "USER_INACTIVE" : undefined;
};

export const freeCapacity: Condition = async () => {
  const { can_add_more } = await api.checkCanAdd();
  return can_add_more ? undefined : "USER_INSUFFICIENT";
};

/** The check refuses by itself. */
export const ownAssociation: Condition = async ({ association_id = "" }) => {
  await api.checkAssociation(association_id);
  return undefined;
};

/** Likewise, for the address that the route names. */
export const authorisedMonitoring: Condition = async ({ child_email = "" }) => {
  await api.checkMonitoring(child_email);
  return undefined;
};

/** To everybody else there is no such page. */
const isStaff: Condition = async () => ((await api.me()).staff ? undefined : "404");

/** The first condition that is not met, in order; a check that fails counts with its code. */
export async function firstUnmet(conditions: readonly Condition[], params: Params): Promise<string | undefined> {
  for (const condition of conditions) {
    const code = await condition(params).catch((error: unknown) => (isApiError(error) ? error.code : "GENERIC"));
    if (code !== undefined) return code;
  }
  return undefined;
}

/** What a page's loader knows of the person in front of it. */
export type Admission = {
  level: AuthLevel | "unknown";
  /** What the operator has to say on top of the page. */
  notice?: ServiceNotice | undefined;
};

/** Whether this installation has a page. When that cannot be told, the page itself has to say what fails. */
export type Existence = (instance: Instance) => boolean;

async function isMissing(isThere: Existence | undefined): Promise<boolean> {
  if (isThere === undefined) return false;
  return api.instance().then(
    (instance) => !isThere(instance),
    () => false,
  );
}

/** The session ended between two questions. */
const SESSION_END = ["SESSION_EXPIRED", "UNAUTHENTICATED"];

function isOpen({ pathname }: URL): boolean {
  return splitPath(pathname).rest === splitPath(location.pathname).rest;
}

type Demands = { conditions?: readonly Condition[]; isThere?: Existence | undefined };

/** The loader of a route: asks the server who this is before every navigation, then lets in or redirects. */
export function guard(access: Access, { conditions = [], isThere }: Demands = {}) {
  return async ({ request, params }: LoaderFunctionArgs): Promise<Admission | Response> => {
    const language = params.lang ?? "en";
    const asked = api.checkAuthentication().then(
      (answer) => answer.auth_level,
      () => "unknown" as const,
    );
    const [level, missing] = await Promise.all([asked, isMissing(isThere)]);
    if (missing) return redirect(errorPath(language, "404"));
    const wanted = new URL(request.url);
    const hasExpired = level !== "unknown" && noteLevel(level);
    // The page that is already open is asked for again in another language, or when the browser brings it back.
    if (hasExpired && isOpen(wanted)) keepDrafts();
    const elsewhere = detour(access, level);
    if (elsewhere === "login" && (access === "fullLogin" || access === "staff")) {
      rememberReturn(wanted);
      if (level === "unauthenticated") noteEnded();
    }
    // Signed in by another tab: on to the page that the login came in between.
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
