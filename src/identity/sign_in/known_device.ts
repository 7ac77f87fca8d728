import type { IdentityDeps } from "../ports.ts";

/** Accounts that one browser is remembered for; the least recently used is dropped. */
const ACCOUNTS_PER_DEVICE = 5;
/** Since the last completed sign-in. */
const REMEMBERED_DAYS = 365;
const DAY_MS = 86_400_000;
const SEPARATOR = ".";
const SEPARATOR_OF_MARK = "~";
/** Day, epoch (omitted if 0), and keyed hash. */
const MARK = /^[0-9]{1,6}~(?:[0-9]{1,9}~)?[\w-]{43}$/;

/**
 * The cookie of a browser that has completed a sign-in: its id, our signature of it, and for each account a mark with the day,
 * the account's epoch and a keyed hash. A mark of an earlier epoch is ignored.
 */
export function knownDevices({ mac, newId, now }: Pick<IdentityDeps, "mac" | "newId" | "now">) {
  const signatureOf = (deviceId: string) => mac("device-id", deviceId);
  function markOf(deviceId: string, accountId: string, { day, epoch }: { day: string; epoch: number }): string {
    const of = [day, ...(epoch === 0 ? [] : [String(epoch)])];
    return [...of, mac("device", [deviceId, accountId, ...of].join(":"))].join(SEPARATOR_OF_MARK);
  }
  const today = () => Math.floor(now().getTime() / DAY_MS);
  function partsOf(mark: string): { day: string; epoch: number } {
    const [day = "", ...rest] = mark.split(SEPARATOR_OF_MARK);
    return { day, epoch: rest.length > 1 ? Number(rest[0]) : 0 };
  }

  function parsed(cookie: string | undefined): { id: string; marks: string[] } | undefined {
    const [id = "", signature, ...marks] = (cookie ?? "").split(SEPARATOR);
    return signature === signatureOf(id) ? { id, marks: marks.slice(0, ACCOUNTS_PER_DEVICE) } : undefined;
  }

  return {
    /**
     * The id of the browser, if this account signed in from it within a year, in its current epoch. Forged cookies are ignored.
     */
    idFor(cookie: string | undefined, accountId: string, epoch = 0): string | undefined {
      const { id = "", marks = [] } = parsed(cookie) ?? {};
      const mark = marks.find((one) => one === markOf(id, accountId, { ...partsOf(one), epoch }));
      return mark !== undefined && today() - Number(partsOf(mark).day) < REMEMBERED_DAYS ? id : undefined;
    },

    /** The cookie's next value, including this account. An id without our signature is replaced. */
    remember(cookie: string | undefined, accountId: string, epoch = 0): string {
      const { id, marks } = parsed(cookie) ?? { id: newId(), marks: [] };
      const others = marks.filter((mark) => MARK.test(mark) && mark !== markOf(id, accountId, partsOf(mark)));
      const remembered = [markOf(id, accountId, { day: String(today()), epoch }), ...others];
      return [id, signatureOf(id), ...remembered.slice(0, ACCOUNTS_PER_DEVICE)].join(SEPARATOR);
    },
  };
}
