import type { IdentityDeps } from "./ports.ts";

/** Accounts that one browser is remembered for; the one that signed in longest ago goes. */
const ACCOUNTS_PER_DEVICE = 5;
/** Since the last completed sign-in. */
const REMEMBERED_DAYS = 365;
const DAY_MS = 86_400_000;
const SEPARATOR = ".";
const MARK = /^[0-9]{1,6}~[\w-]{43}$/;

/**
 * A browser that has completed a sign-in: its id, our signature of it, and for each account it signed in to a mark, which
 * is the day and a keyed hash.
 */
export function knownDevices({ mac, newId, now }: Pick<IdentityDeps, "mac" | "newId" | "now">) {
  const signatureOf = (deviceId: string) => mac("device-id", deviceId);
  const markOf = (deviceId: string, accountId: string, day: string) =>
    `${day}~${mac("device", `${deviceId}:${accountId}:${day}`)}`;
  const today = () => Math.floor(now().getTime() / DAY_MS);
  const dayOf = (mark: string) => mark.split("~")[0] ?? "";

  function parsed(cookie: string | undefined): { id: string; marks: string[] } | undefined {
    const [id = "", signature, ...marks] = (cookie ?? "").split(SEPARATOR);
    return signature === signatureOf(id) ? { id, marks: marks.slice(0, ACCOUNTS_PER_DEVICE) } : undefined;
  }

  return {
    /** The id of the browser, if this account was signed in to from it within a year. A forged or foreign cookie is nothing. */
    idFor(cookie: string | undefined, accountId: string): string | undefined {
      const { id = "", marks = [] } = parsed(cookie) ?? {};
      const mark = marks.find((one) => one === markOf(id, accountId, dayOf(one)));
      return mark !== undefined && today() - Number(dayOf(mark)) < REMEMBERED_DAYS ? id : undefined;
    },

    /** The cookie's next value, with this account in it. An id that is not signed by us is never adopted. */
    remember(cookie: string | undefined, accountId: string): string {
      const { id, marks } = parsed(cookie) ?? { id: newId(), marks: [] };
      const others = marks.filter((mark) => MARK.test(mark) && mark !== markOf(id, accountId, dayOf(mark)));
      const remembered = [markOf(id, accountId, String(today())), ...others].slice(0, ACCOUNTS_PER_DEVICE);
      return [id, signatureOf(id), ...remembered].join(SEPARATOR);
    },
  };
}
