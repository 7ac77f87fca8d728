import { afterEach, describe, expect, test } from "bun:test";
import { splunkSink } from "../src/operations/adapters/sinks/splunk.ts";
import { SECOND } from "./support/clock.ts";
import { SPLUNK_TOKEN, splunkPeer } from "./support/splunk_peer.ts";
import { adaptersOn, composed, memoryGround, settle, signedUp } from "./support/world.ts";

const ADA = "ada@example.com";

let close = () => {};
afterEach(() => close());

/** The product with Splunk as the destination of events, and its job. */
function worldWithSplunk() {
  const peer = splunkPeer();
  close = () => void peer.stop();
  const ground = memoryGround();
  const adapters = adaptersOn(ground);
  const sink = splunkSink({
    url: peer.url,
    token: SPLUNK_TOKEN,
    hostName: "breachbell.example",
    channel: Bun.randomUUIDv7(),
  });
  const world = composed({ ...adapters, gateways: { ...adapters.gateways, sinks: [sink] } });
  const job = world.jobs.find(({ name }) => name === "event-sink splunk");
  if (!job) throw new Error("There is no job");
  return { peer, ground, world, run: job.run };
}

describe("The operator's event stream", () => {
  test("sends what happens to Splunk, the same as the command line prints, while it is out of order too", async () => {
    const { peer, ground, world, run } = worldWithSplunk();
    await signedUp(world, ADA);
    const found = await world.identity.accountNamed(ADA);
    const accountId = found.ok ? found.value.accountId : "";
    await world.identity.lockAccount(accountId, { reason: "Odd sign-ins" }, { by: "command_line" });
    peer.fail({ status: 503, body: '{"text":"Server is busy","code":9}' });
    await settle(world);
    await expect(run()).rejects.toThrow("503");
    await world.identity.unlockAccount(accountId, { reason: "All is well" }, { by: "command_line" });
    await settle(world);
    ground.clock.pass(30 * SECOND);
    await run();
    const printed = await world.operations.operatorEvents(undefined, 10);
    expect(printed.map(({ act }) => act)).toEqual(["account_locked", "account_unlocked"]);
    expect(peer.events.map(({ event }) => event)).toEqual(printed.map(({ cursor: _, ...event }) => event));
    await run();
    expect(peer.events).toHaveLength(2);
  });

  test("has a staff member's test of a connection, which the audit log counts", async () => {
    const { world } = worldWithSplunk();
    await signedUp(world, ADA);
    const found = await world.identity.accountNamed(ADA);
    const accountId = found.ok ? found.value.accountId : "";
    await world.identity.setStaff(accountId, { staff: true, reason: "Runs it" });
    expect((await world.identity.noteTest(accountId, "email")).ok).toBe(true);
    await settle(world);
    const events = await world.operations.operatorEvents(undefined, 10);
    expect(events.at(-1)).toMatchObject({ act: "connection_tested", by: "staff", actor: accountId, objectId: "email" });
    const log = await world.identity.staffActs({ act: "connection_tested" } as never);
    expect(log.ok && log.value.acts).toHaveLength(1);
  });
});
