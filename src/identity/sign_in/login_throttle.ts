import { ipBucket } from "../../shared/ip_bucket.ts";
import type { Result } from "../../shared/result.ts";
import type { Client, Ending, IdentityDeps, IdentityStore } from "../ports.ts";
import { type Counter, countersOf, placeAt, type Refusal } from "./attempts.ts";
import { knownDevices } from "./known_device.ts";

const KINDS = {
  password: { ip: "passwordIp", account: "passwordAccount", device: "passwordDevice" },
  code: { ip: "codeIp", account: "codeAccount", device: "codeDevice" },
} as const;

/** Whose door is tried: `account` is what its counter goes by, also where there is no such account. */
type Tried = { accountId: string | undefined; account: string | undefined; epoch?: number | undefined };

/**
 * The counters by which one guess takes its place, by who guesses: a device that the account knows has one of its own, so
 * that strangers never lock its owner out; everybody else shares the network address' and the account's.
 */
export function doors(deps: IdentityDeps) {
  const { mac, now, newId } = deps;
  const devices = knownDevices(deps);
  const counters = ({ attempts }: Pick<IdentityStore, "attempts">) => countersOf(attempts, mac, now());

  return function doorOf(
    step: keyof typeof KINDS,
    { ip, deviceToken }: Client,
    { accountId, account, epoch = 0 }: Tried,
  ) {
    const kinds = KINDS[step];
    const place = placeAt(now(), newId());
    // Nobody's id is asked for too: no account costs as much as one.
    const deviceId = devices.idFor(deviceToken, accountId ?? "", epoch);
    const device: Counter = [kinds.device, `${accountId}:${deviceId}`];
    const network: Counter = [kinds.ip, ipBucket(ip)];
    const own: Counter[] = account === undefined ? [] : [[kinds.account, account]];
    const all = deviceId === undefined ? [network, ...own] : [device];

    let held = 0;

    function end(store: IdentityStore, ending: Ending): Promise<{ isLast: boolean }> {
      const endings = all.slice(0, held).map((counter): [Ending, Counter] => [ending, counter]);
      return counters(store).settle(endings, place);
    }

    return {
      /** Of the known device; undefined for a stranger. */
      deviceId,

      /** Before the check. Also where it is refused, what is held has to be given back. */
      async reserve(store: IdentityStore): Promise<Result<undefined, Refusal>> {
        const reserved = await counters(store).reserve(all, place);
        held = reserved.held;
        return reserved.answer;
      },

      /** Nothing was tried after all. */
      async giveBack(store: IdentityStore): Promise<void> {
        if (held > 0) await end(store, "free");
      },

      /** It was wrong. `isLast`: it has shut the door of the account, or of the device. */
      async fail(store: IdentityStore): Promise<{ isLast: boolean }> {
        const { isLast } = await end(store, "wrong");
        return { isLast: isLast && (deviceId !== undefined || account !== undefined) };
      },

      /**
       * A success gives its own place back to the network address, and takes no wrong guess from it: else an attacker signs in
       * to his own account in between. What else is over then begins anew with it.
       */
      async succeed(store: IdentityStore, over: Counter[] = []): Promise<void> {
        const cleared = [...(deviceId === undefined ? own : [device]), ...over];
        const endings = cleared.map((counter): [Ending, Counter] => ["cleared", counter]);
        await counters(store).settle(deviceId === undefined ? [["free", network], ...endings] : endings, place);
      },
    };
  };
}
