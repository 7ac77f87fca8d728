import type { Language } from "../../src/shared/language.ts";
import type { AuthLevel } from "../api/api.ts";
import { keepDrafts } from "../forms/drafts.ts";

const RETURN_KEY = "returnTo";
const PICKED_KEY = "languagePicked";
const REFUSED_KEY = "refused";
/** In this browser's storage, from a sign-in until a logout: that the session behind it has ended shows when it is opened afresh. */
const SIGNED_IN_KEY = "signedIn";

let signedIn = false;
let expired = false;

/** Records what the server says of this person; a session that is gone without a logout has expired: then true. */
export function noteLevel(level: AuthLevel): boolean {
  const hasExpired = signedIn && level === "unauthenticated";
  if (hasExpired) markExpired();
  signedIn = level === "authenticated";
  if (signedIn) localStorage.setItem(SIGNED_IN_KEY, "yes");
  return hasExpired;
}

/** Somebody wanted a page of theirs, and nobody is signed in: where nobody has logged out either, the session has ended. */
export function noteEnded(): void {
  if (localStorage.getItem(SIGNED_IN_KEY) !== null) markExpired();
}

function markExpired(): void {
  localStorage.removeItem(SIGNED_IN_KEY);
  expired = true;
}

/** A call found the session gone: the login says so and leads back here, to what was typed. */
export function noteExpiry(): void {
  if (signedIn) {
    rememberReturn(location);
    keepDrafts();
  }
  signedIn = false;
  markExpired();
}

/** Whoever leaves on purpose leaves nothing behind in this tab but the language that is on it. */
export function noteLogout(): void {
  const isPicked = sessionStorage.getItem(PICKED_KEY) !== null;
  signedIn = false;
  localStorage.removeItem(SIGNED_IN_KEY);
  sessionStorage.clear();
  if (isPicked) notePickedLanguage();
}

/** Another tab changed the session: who this is has to be asked again, but nothing has expired. */
export function noteChange(): void {
  signedIn = false;
}

/** As the server last said. */
export function isSignedIn(): boolean {
  return signedIn;
}

let tabs: BroadcastChannel | undefined;
function otherTabs(): BroadcastChannel {
  tabs ??= new BroadcastChannel("session");
  return tabs;
}

type Change = "signed in" | "signed out";

/** Tells this browser's other tabs that somebody signed in or out here. */
export function announceSession(change: Change): void {
  otherTabs().postMessage(change);
}

export function onSessionElsewhere(listener: (change: Change) => void): void {
  otherTabs().addEventListener("message", ({ data }: MessageEvent<Change>) => listener(data));
}

/** True once after a session expired: the login screen then says so. */
export function takeExpiry(): boolean {
  const was = expired;
  expired = false;
  return was;
}

/** A path of this site out of a stored value; anything that could lead elsewhere is dropped. */
export function safeReturn(value: string | null, origin: string): string | undefined {
  if (value === null || !/^\/[^/\\]/.test(value) || !URL.canParse(value, origin)) return undefined;
  const url = new URL(value, origin);
  return url.origin === origin ? url.pathname + url.search : undefined;
}

/** Remembers the page somebody wanted before the login came in between. */
export function rememberReturn({ pathname, search }: { pathname: string; search: string }): void {
  sessionStorage.setItem(RETURN_KEY, pathname + search);
}

/** The page that was wanted, once. */
export function takeReturn(): string | undefined {
  const value = sessionStorage.getItem(RETURN_KEY);
  sessionStorage.removeItem(RETURN_KEY);
  return safeReturn(value, location.origin);
}

/** Remembers the page that a guard refused, so that the page that explains it can offer to try again. */
export function rememberRefused({ pathname, search }: { pathname: string; search: string }): void {
  sessionStorage.setItem(REFUSED_KEY, pathname + search);
}

/** The page that was refused last. */
export function refusedPage(): string | undefined {
  return safeReturn(sessionStorage.getItem(REFUSED_KEY), location.origin);
}

/** A language chosen by hand stays for this visit, whatever the account prefers. */
export function notePickedLanguage(): void {
  sessionStorage.setItem(PICKED_KEY, "yes");
}

type SignIn = { returnTo: string | undefined; current: Language; account: Language; picked: boolean };

/** Where a person goes after the code: back to the page that was wanted, else to the dashboard. */
export function afterSignIn({ returnTo, current, account, picked }: SignIn): string {
  return returnTo ?? `/${picked ? current : account}/dashboard`;
}

export function pathAfterSignIn(current: Language, account: Language): string {
  const picked = sessionStorage.getItem(PICKED_KEY) !== null;
  return afterSignIn({ returnTo: takeReturn(), current, account, picked });
}
