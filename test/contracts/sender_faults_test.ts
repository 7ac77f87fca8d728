import { afterEach, describe, expect, test } from "bun:test";
import type { Outcome } from "../../src/notifications/ports.ts";
import { messageTo } from "../notifications/sample_mail.ts";
import { casesOf } from "../support/channel_outcomes.ts";
import { PROVIDER_OPENERS, type ProviderName } from "../support/channel_providers.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const now = () => new Date("2026-03-02T08:00:00.000Z");
const NAMES = Object.keys(PROVIDER_OPENERS) as ProviderName[];
/** Long enough for a machine that stalls for a moment; shorter where all of it is used. */
const TIMEOUT_MS = 15_000;
const ENDLESS = { names: ["hang", "slow body"], timeoutMs: 1500 };

async function open(name: ProviderName, more: { untrusted?: boolean; timeoutMs?: number } = {}) {
  const provider = await PROVIDER_OPENERS[name]({ now, cleanUps, timeoutMs: TIMEOUT_MS, ...more });
  const { recipient, sender } = provider;
  return { ...provider, send: () => sender.send(messageTo(recipient.value, { to: recipient })) };
}

/** Without its message and the provider's id. */
function bare(outcome: Outcome): Record<string, unknown> {
  return Object.fromEntries(Object.entries(outcome).filter(([name]) => name !== "reason" && name !== "providerId"));
}

describe.each(NAMES)("%s", (name) => {
  test.each(casesOf(name).map((each) => [each.name, each] as const))("treats %s correctly", async (_, fault) => {
    const { send, failNext } = await open(name, ENDLESS.names.includes(fault.name) ? ENDLESS : {});
    failNext(fault.failure);
    const outcome = await send();
    expect(bare(outcome)).toEqual(fault.expected);
    // Neither the peer's own page nor a secret.
    if ("reason" in outcome) expect(outcome.reason).not.toMatch(/Sorry|whsec_|tk_|azGDOREPK8|peer-token/);
    expect(await send()).toMatchObject({ kind: "delivered" });
  });

  const scope = ["pushover", "ntfy", "telegram"].includes(name) ? "channel" : "contact";
  test("retries when the connection to the provider fails, knowing that nothing was delivered", async () => {
    const { send, stop } = await open(name);
    await stop();
    expect(bare(await send())).toEqual({ kind: "retry", scope });
  });

  test("rejects an untrusted certificate, and sends nothing", async () => {
    const { send, received } = await open(name, { untrusted: true });
    expect(bare(await send())).toEqual({ kind: "retry", scope });
    expect(received()).toEqual([]);
  });

  test("sends one request to a silent provider, and gives up in time", async () => {
    const { send, failNext, received, failAlways } = await open(name, ENDLESS);
    failNext({ taken: true, fail: (response) => void response.socket?.destroy() });
    failAlways({ taken: true, fail: () => {} });
    const hanging = casesOf(name).find((fault) => fault.name === "hang");
    expect(bare(await send())).toEqual(hanging?.expected ?? {});
    expect(received()).toHaveLength(1);
  });
});
