import { describe, expect, test } from "bun:test";
import type { DrillView } from "../src/breaches/drill/drill.ts";
import { memoryGround, settle, signedUp, worldOn } from "./support/world.ts";

const EMAIL = "alice@breachbell.example";
type Caller = Awaited<ReturnType<typeof signedUp>>;

/** Alice tracks her own address, and its first report has arrived. */
async function watching() {
  const ground = memoryGround();
  const world = worldOn(ground);
  const call = await signedUp(world, EMAIL);
  const contacts = { email: [EMAIL] };
  const tracked = await call("POST", "/api/associations", { address: EMAIL, owner: true, language: "en", contacts });
  const { id } = (await tracked.json()) as { id: string };
  await world.breaches.syncCatalogue();
  await settle(world);
  const json = async <T>(method: string, path: string, body?: unknown) =>
    (await (await call(method, path, body)).json()) as T;
  const status = async () =>
    (await json<{ items: { status: string }[] }>("GET", "/api/associations")).items.map((item) => item.status);
  return { ground, world, call, associationId: id, json, status };
}

/** All rows of all tables except counters and logs. */
async function trace(ground: ReturnType<typeof memoryGround>): Promise<string> {
  const names = ["breach", "alert", "exposure", "drill", "change"].map((name) => `breaches.${name}`);
  const all = [...names, "notifications.delivery", "notifications.attempt"];
  const read = ground.transactionOf((tables) => all.map((name) => tables<unknown>(name).filter()));
  return JSON.stringify(await read(async (rows) => rows));
}

const start = (call: Caller, associationId: string) => call("POST", "/api/fire-drill", { associationId });

describe("A fire drill", () => {
  test("goes from detection to handling, is marked as such everywhere, and leaves no trace", async () => {
    const { ground, world, call, associationId, json, status } = await watching();
    const before = await trace(ground);
    expect(await status()).toEqual(["safe"]);
    expect((await start(call, associationId)).status).toBe(201);
    await settle(world);
    expect(await status()).toEqual(["breached"]);
    const { drill } = await json<{ drill: DrillView }>("GET", "/api/fire-drill");
    expect(drill).toMatchObject({ associationId, address: EMAIL, state: "pending", version: 1 });
    const mail = ground.sender.sent.at(-1);
    expect(mail?.content.subject).toContain("Fire drill");
    expect(JSON.stringify(mail?.content)).toContain("The breach is made up, and nothing has been stolen.");
    expect(mail?.content.attribution).toBeUndefined();
    const { items } = await json<{ items: unknown[] }>("GET", `/api/alerts/${drill.alertId}/deliveries`);
    expect(items).toMatchObject([{ state: "accepted", value: EMAIL }]);
    await call("POST", `/api/alerts/${drill.alertId}/handle`, { version: drill.version });
    await settle(world);
    expect((await json<{ drill: DrillView }>("GET", "/api/fire-drill")).drill.state).toBe("handled");
    expect(await status()).toEqual(["safe"]);
    expect((await call("DELETE", "/api/fire-drill")).status).toBe(200);
    await settle(world);
    expect(await json<unknown>("GET", "/api/fire-drill")).toEqual({ drill: null });
    expect(await trace(ground)).toBe(before);
    expect((await call("DELETE", "/api/fire-drill")).status).toBe(404);
  });

  test("is limited to own addresses, and one at a time, even if it is started twice concurrently", async () => {
    const { world, call, associationId } = await watching();
    const mallory = await signedUp(world, "mallory@breachbell.example");
    expect((await start(mallory, associationId)).status).toBe(404);
    const answers = await Promise.all([start(call, associationId), start(call, associationId)]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 409]);
    expect((await (await mallory("GET", "/api/fire-drill")).json()) as unknown).toEqual({ drill: null });
    expect((await mallory("DELETE", "/api/fire-drill")).status).toBe(404);
  });

  test("that is left open ends automatically after a day", async () => {
    const { ground, world, call, associationId } = await watching();
    const before = await trace(ground);
    await start(call, associationId);
    await settle(world);
    ground.clock.pass(24 * 3_600_000 - 1000);
    expect(await world.breaches.endDrillsDue()).toBe(0);
    ground.clock.pass(2000);
    expect(await world.breaches.endDrillsDue()).toBe(1);
    await settle(world);
    expect(await trace(ground)).toBe(before);
  });

  test("is deleted with its account, and its address", async () => {
    const { ground, world, call, associationId } = await watching();
    await start(call, associationId);
    await settle(world);
    await call("DELETE", `/api/associations/${associationId}`);
    await settle(world);
    expect(await trace(ground)).not.toContain('"state":"pending"');
    await call("POST", "/api/profile/delete", { password: "Tranquil-Harbour-42" });
    await settle(world);
    expect(await trace(ground)).not.toContain("drill:");
  });

  test("is not shown to others who track the address, and is not changed by any source's sync", async () => {
    const { ground, world, call, associationId } = await watching();
    await start(call, associationId);
    await world.breaches.syncCatalogue();
    await settle(world);
    const told = ground.sender.sent.filter(({ content }) => content.subject.includes("Fire drill"));
    expect(told.map(({ to }) => to.value)).toEqual([EMAIL]);
    expect(await trace(ground)).toContain("drill:");
  });
});
