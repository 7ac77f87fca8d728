import type { Language } from "../../src/shared/language.ts";
import type { AuthLevel } from "../api/api.ts";
import { keepDrafts } from "../forms/drafts.ts";
import { inLanguage } from "./language.ts";

const RETURN_KEY = "returnTo";
const PICKED_KEY = "languagePicked";
const REFUSED_KEY = "refused";
const CONFIRMED_KEY = "confirmed";
/** Local storage key, set from sign-in until logout: a later visit can tell that the session has expired. */
const SIGNED_IN_KEY = "signedIn";

let signedIn = false;
let expired = false;

/**
 * Records the level that the session check returned. Returns true if the session has expired, that is, ended without a
 * logout.
 */
export function noteLevel(level: AuthLevel): boolean {
  const hasExpired = signedIn && level === "unauthenticated";
  if (hasExpired) markExpired();
  signedIn = level === "authenticated";
  if (signedIn) localStorage.setItem(SIGNED_IN_KEY, "yes");
  return hasExpired;
}

/**
 * A page that requires a login was requested without a session: if there was no logout either, the session has expired.
 */
export function noteEnded(): void {
  if (localStorage.getItem(SIGNED_IN_KEY) !== null) markExpired();
}

function markExpired(): void {
  localStorage.removeItem(SIGNED_IN_KEY);
  expired = true;
}

/** A request found that the session has ended: keeps drafts and the current page for after the login. */
export function noteExpiry(): void {
  if (signedIn) {
    rememberReturn(location);
    keepDrafts();
  }
  signedIn = false;
  markExpired();
}

/** A logout clears this tab's storage, except the picked language. */
export function noteLogout(): void {
  const isPicked = sessionStorage.getItem(PICKED_KEY) !== null;
  signedIn = false;
  localStorage.removeItem(SIGNED_IN_KEY);
  sessionStorage.clear();
  if (isPicked) notePickedLanguage();
}

/** Another tab changed the session: it has to be checked again, but has not expired. */
export function noteChange(): void {
  signedIn = false;
}

/** The result of the last session check. */
export function isSignedIn(): boolean {
  return signedIn;
}

let tabs: BroadcastChannel | undefined;
function otherTabs(): BroadcastChannel {
  tabs ??= new BroadcastChannel("session");
  return tabs;
}

type Change = "signed in" | "signed out";

/** Tells the browser's other tabs about a sign-in or sign-out. */
export function announceSession(change: Change): void {
  otherTabs().postMessage(change);
}

export function onSessionElsewhere(listener: (change: Change) => void): void {
  otherTabs().addEventListener("message", ({ data }: MessageEvent<Change>) => listener(data));
}

/** True once after a session has expired; the login screen then shows a notice. */
export function takeExpiry(): boolean {
  const was = expired;
  expired = false;
  return was;
}

/** The path of a stored value if it belongs to this site, else undefined (prevents open redirects). */
export function safeReturn(value: string | null, origin: string): string | undefined {
  if (value === null || !/^\/[^/\\]/.test(value) || !URL.canParse(value, origin)) return undefined;
  const url = new URL(value, origin);
  return url.origin === origin ? url.pathname + url.search : undefined;
}

function remember(key: string) {
  return ({ pathname, search }: { pathname: string; search: string }) => sessionStorage.setItem(key, pathname + search);
}

function take(key: string): string | undefined {
  const value = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return safeReturn(value, location.origin);
}

/** Remembers the requested page before a redirect to the login. */
export const rememberReturn = remember(RETURN_KEY);

/** The page requested before the login, on the first call only. */
export const takeReturn = () => take(RETURN_KEY);

/** Remembers the page on which a step has to be repeated after reauthentication elsewhere. */
export const rememberConfirmation = remember(CONFIRMED_KEY);

/** That page, on the first call only. */
export const takeConfirmation = () => take(CONFIRMED_KEY);

/** Remembers the page that a guard refused, so that the error page can offer to try again. */
export const rememberRefused = remember(REFUSED_KEY);

/** The page that a guard last refused. */
export function refusedPage(): string | undefined {
  return safeReturn(sessionStorage.getItem(REFUSED_KEY), location.origin);
}

/** Keeps a language picked by hand for the rest of the visit, whatever the account prefers. */
export function notePickedLanguage(): void {
  sessionStorage.setItem(PICKED_KEY, "yes");
}

type SignIn = { returnTo: string | undefined; current: Language; account: Language; picked: boolean };

/** Where a sign-in leads: to the requested page, or else to the dashboard; in the language that was picked by hand, if any. */
export function afterSignIn({ returnTo, current, account, picked }: SignIn): string {
  if (returnTo === undefined) return `/${picked ? current : account}/dashboard`;
  return picked ? inLanguage(returnTo, current) : returnTo;
}

export function pathAfterSignIn(current: Language, account: Language): string {
  const picked = sessionStorage.getItem(PICKED_KEY) !== null;
  return afterSignIn({ returnTo: takeReturn(), current, account, picked });
}
