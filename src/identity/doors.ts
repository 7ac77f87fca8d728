import { ipBucket } from "../shared/ip_bucket.ts";
import { type Counter, countersOf } from "./attempts.ts";
import { knownDevices } from "./known_device.ts";
import type { Client, IdentityDeps, IdentityStore } from "./ports.ts";

const KINDS = {
  password: { ip: "passwordIp", account: "passwordAccount", device: "passwordDevice" },
  code: { ip: "codeIp", account: "codeAccount", device: "codeDevice" },
} as const;

/** Whose door is tried: `account` is what its counter goes by, also where there is no such account. */
type Tried = { accountId: string | undefined; account: string | undefined };

/**
 * The counters that a try is counted with, by who tries: a device that the account knows has one of its own, so that
 * strangers never lock its owner out; everybody else shares the network address' and the account's.
 */
export function doors(deps: IdentityDeps) {
  const { mac, now } = deps;
  const devices = knownDevices(deps);
  const counters = ({ attempts }: Pick<IdentityStore, "attempts">) => countersOf(attempts, mac, now());

  return function doorsOf(step: keyof typeof KINDS, { ip, deviceToken }: Client, { accountId, account }: Tried) {
    const kinds = KINDS[step];
    const bucket = ipBucket(ip);
    // Nobody's id is asked for too: no account costs as much as one.
    const deviceId = devices.idFor(deviceToken, accountId ?? "");
    const device = `${accountId}:${deviceId}`;
    return {
      /** Of the known device; undefined for a stranger. */
      deviceId,

      /** Before the check. `wait` in seconds, 0 for "go on"; `isLast`: if this try fails, the account's door shuts. */
      async count(store: IdentityStore): Promise<{ wait: number; isLast: boolean }> {
        const { tryAll } = counters(store);
        if (deviceId !== undefined) return tryAll([[kinds.device, device]]);
        if (account === undefined) return { ...(await tryAll([[kinds.ip, bucket]])), isLast: false };
        return tryAll([
          [kinds.ip, bucket],
          [kinds.account, account],
        ]);
      },

      /** Nothing was tried after all. */
      async giveBack(store: IdentityStore): Promise<void> {
        const { giveBack } = counters(store);
        if (deviceId !== undefined) return giveBack(kinds.device, device);
        await giveBack(kinds.ip, bucket);
        if (account !== undefined) await giveBack(kinds.account, account);
      },

      /**
       * A success takes its own try back from the IP address, not those before: else an attacker signs in to his own account in
       * between. What else is over then begins anew with it.
       */
      async succeed(store: IdentityStore, over: Counter[] = []): Promise<void> {
        const { succeed } = counters(store);
        if (deviceId !== undefined) return succeed(undefined, [[kinds.device, device], ...over]);
        const own: Counter[] = account === undefined ? [] : [[kinds.account, account]];
        await succeed([kinds.ip, bucket], [...own, ...over]);
      },
    };
  };
}
