import { type LoaderFunctionArgs, type Params, redirect } from "react-router";
import { type AuthLevel, api, type Instance, isApiError } from "./api.ts";
import { noteLevel, rememberReturn, takeReturn } from "./session.ts";

/** Who may open a route: the specification's access levels. */
export type Access = "public" | "noLogin" | "partialLogin" | "fullLogin";

/**
 * A further demand of a route, with the parts of its path, on somebody signed in: the `err` of the error page when it is not
 * met.
 */
export type Condition = (params: Params) => Promise<string | undefined>;

/** Where somebody of this level is sent instead, if anywhere. `unknown`: the check itself failed. */
export function detour(access: Access, level: AuthLevel | "unknown"): "login" | "dashboard" | undefined {
  if (access === "fullLogin") return level === "authenticated" ? undefined : "login";
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

/** The first condition that is not met, in order; a check that fails counts with its code. */
export async function firstUnmet(conditions: readonly Condition[], params: Params): Promise<string | undefined> {
  for (const condition of conditions) {
    const code = await condition(params).catch((error: unknown) => (isApiError(error) ? error.code : "GENERIC"));
    if (code !== undefined) return code;
  }
  return undefined;
}

/** What a page's loader knows of the person in front of it. */
export type Admission = { level: AuthLevel | "unknown" };

/** Whether this installation has a page. When that cannot be told, the page itself has to say what fails. */
export type Existence = (instance: Instance) => boolean;

async function isMissing(isThere: Existence | undefined): Promise<boolean> {
  if (isThere === undefined) return false;
  return api.instance().then(
    (instance) => !isThere(instance),
    () => false,
  );
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
    if (level !== "unknown") noteLevel(level);
    const elsewhere = detour(access, level);
    if (elsewhere === "login" && access === "fullLogin") rememberReturn(new URL(request.url));
    // Signed in by another tab: on to the page that the login came in between.
    const wanted = elsewhere === "dashboard" ? takeReturn() : undefined;
    if (elsewhere !== undefined) return redirect(wanted ?? `/${language}/${elsewhere}`);
    const code = level === "authenticated" ? await firstUnmet(conditions, params) : undefined;
    return code === undefined ? { level } : redirect(errorPath(language, code));
  };
}
