import { ipBucket } from "../../shared/ip_bucket.ts";
import type { Result } from "../../shared/result.ts";
import type { Client, Ending, IdentityDeps, IdentityStore } from "../ports.ts";
import { type Counter, countersOf, placeAt, type Refusal } from "./attempts.ts";
import { knownDevices } from "./known_device.ts";

const KINDS = {
  password: { ip: "passwordIp", account: "passwordAccount", device: "passwordDevice" },
  code: { ip: "codeIp", account: "codeAccount", device: "codeDevice" },
} as const;

/** The account of an attempt: `account` is the counter's key, also for unknown accounts. */
type Tried = { accountId: string | undefined; account: string | undefined; epoch?: number | undefined };

/**
 * The counters for a password guess: a known device has its own, so that strangers cannot lock the owner out; all others share
 * those of the network address and of the account.
 */
export function loginThrottle(deps: IdentityDeps) {
  const { mac, now, newId } = deps;
  const devices = knownDevices(deps);
  const counters = ({ attempts }: Pick<IdentityStore, "attempts">) => countersOf(attempts, mac, now());

  return function throttleOf(
    step: keyof typeof KINDS,
    { ip, deviceToken }: Client,
    { accountId, account, epoch = 0 }: Tried,
  ) {
    const kinds = KINDS[step];
    const place = placeAt(now(), newId());
    // An unknown account is looked up as well, so that it takes as long.
    const deviceId = devices.idFor(deviceToken, accountId ?? "", epoch);
    const device: Counter = [kinds.device, `${accountId}:${deviceId}`];
    const network: Counter = [kinds.ip, ipBucket(ip)];
    const own: Counter[] = account === undefined ? [] : [[kinds.account, account]];
    const all = deviceId === undefined ? [network, ...own] : [device];

    let held = 0;

    function end(store: IdentityStore, ending: Ending): Promise<{ isLast: boolean }> {
      const endings = all.slice(0, held).map((counter): [Ending, Counter] => [ending, counter]);
      return counters(store).conclude(endings, place);
    }

    return {
      /** The known device's id; undefined for an unknown one. */
      deviceId,

      /** Called before the check. Reservations have to be released even if it refuses. */
      async reserve(store: IdentityStore): Promise<Result<undefined, Refusal>> {
        const reserved = await counters(store).reserve(all, place);
        held = reserved.held;
        return reserved.answer;
      },

      /** Releases the reservations without counting. */
      async giveBack(store: IdentityStore): Promise<void> {
        if (held > 0) await end(store, "free");
      },

      /** Counts a wrong guess. `isLast`: it locked the account, or the device. */
      async fail(store: IdentityStore): Promise<{ isLast: boolean }> {
        const { isLast } = await end(store, "wrong");
        return { isLast: isLast && (deviceId !== undefined || account !== undefined) };
      },

      /**
       * Releases the network address's reservation without clearing its wrong guesses, which an attacker could otherwise do by
       * signing in to his own account. Clears the counters in `over` as well.
       */
      async succeed(store: IdentityStore, over: Counter[] = []): Promise<void> {
        const cleared = [...(deviceId === undefined ? own : [device]), ...over];
        const endings = cleared.map((counter): [Ending, Counter] => ["cleared", counter]);
        await counters(store).conclude(deviceId === undefined ? [["free", network], ...endings] : endings, place);
      },
    };
  };
}
