import { describe, expect, test } from "bun:test";
import type { BreachFeed } from "../src/breaches/ports.ts";
import type { Composition } from "../src/compose.ts";
import { aBreach } from "./support/builders.ts";
import { DAY, HOUR, MINUTE } from "./support/clock.ts";
import { mortal } from "./support/mortal.ts";
import { adaptersOn, composed, memoryGround, type Step, settle, signedUp } from "./support/world.ts";

const EMAIL = "alice@breachbell.example";
const LATE = "Checks of your addresses are delayed";
const WELL = "Your addresses are being checked again";

/** Alice tracks her own address, with a source that responds only while it is `up`. */
async function watching() {
  const ground = memoryGround();
  const source = { up: true };
  const on = (step?: Step): Composition => {
    const adapters = adaptersOn(ground, step);
    const [feed] = adapters.gateways.feeds;
    if (!feed) throw new Error("Cannot happen");
    const lookUp: BreachFeed["lookUp"] = async (address) =>
      source.up ? feed.lookUp(address) : { kind: "later", afterMs: HOUR, reason: "Not now" };
    return composed({ ...adapters, gateways: { ...adapters.gateways, feeds: [{ ...feed, lookUp }] } });
  };
  const world = on();
  ground.feed.publish(aBreach());
  ground.feed.expose(EMAIL, "Adobe");
  const call = await signedUp(world, EMAIL);
  const body = { address: EMAIL, owner: true, language: "en", contacts: { email: [EMAIL] } };
  expect((await call("POST", "/api/associations", body)).status).toBe(201);
  await world.breaches.syncCatalogue();
  await settle(world);
  const json = async <T>(method: string, path: string, sent?: unknown) =>
    (await (await call(method, path, sent)).json()) as T;
  const mailsOf = (pattern: RegExp) => ground.sender.sent.filter(({ kind = "" }) => pattern.test(kind));
  return {
    ground,
    world,
    source,
    call,
    json,
    on,
    stale: async () => (await json<{ stale: { since: string } | null }>("GET", "/api/associations")).stale,
    subjects: () => mailsOf(/^checks_/).map(({ content }) => content.subject),
    summaries: () => mailsOf(/^monthly_summary$/),
    async signIn(): Promise<void> {
      await call("POST", "/api/login", { email: EMAIL, password: "Tranquil-Harbour-42" });
      await settle(world);
      expect((await call("POST", "/api/verify-code", { code: "123456" })).status).toBe(200);
    },
    async pass(ms: number): Promise<void> {
      ground.clock.pass(ms);
      await settle(world);
      await world.breaches.tellStale();
      await world.notifications.summariseDue();
      await settle(world);
    },
  };
}

describe("Overdue checks", () => {
  test("are announced by mail and on the dashboard, and so is their end", async () => {
    const { source, pass, stale, subjects, ground, signIn } = await watching();
    expect(await stale()).toBeNull();
    source.up = false;
    await pass(8 * DAY);
    await pass(HOUR);
    await signIn();
    expect(subjects()).toEqual([LATE]);
    expect(await stale()).toEqual({ since: "2026-11-27T12:00:00.000Z" });
    const text = JSON.stringify(ground.sender.sent.find(({ content }) => content.subject === LATE)?.content);
    expect(text).toContain("1 of your addresses has been waiting to be checked since November 27, 2026");
    source.up = true;
    await pass(2 * HOUR);
    expect(subjects()).toEqual([LATE, WELL]);
    expect(await stale()).toBeNull();
    expect(ground.errors.filter((error) => !String(error).includes("Not now"))).toEqual([]);
  });

  test("are announced once whichever step a process dies at", async () => {
    async function lives(at: number, when: "before" | "after") {
      const { source, pass, subjects, on, ground, world } = await watching();
      const dieTelling = async () => {
        const life = mortal(at, when);
        const process = on(life.step);
        await process.breaches.tellStale().catch(() => undefined);
        await process.dispatcher.drain().catch(() => undefined);
        return life.steps();
      };
      source.up = false;
      await pass(8 * DAY);
      ground.clock.pass(HOUR);
      const first = await dieTelling();
      await pass(2 * MINUTE);
      const late = subjects();
      source.up = true;
      ground.clock.pass(HOUR);
      await world.breaches.scanDue();
      const second = await dieTelling();
      await pass(2 * MINUTE);
      return { steps: Math.max(first, second), late, well: subjects().slice(late.length) };
    }
    const { steps } = await lives(Number.POSITIVE_INFINITY, "before");
    expect(steps).toBeGreaterThan(6);
    for (let at = 0; at < steps; at += 1)
      for (const when of ["before", "after"] as const)
        expect({ at, when, ...(await lives(at, when)) }).toMatchObject({ at, when, late: [LATE], well: [WELL] });
  });
});

describe("The monthly summary", () => {
  test("is enabled, arrives on the first, states the facts, and is disabled by its own link only", async () => {
    const { world, call, json, pass, summaries, signIn } = await watching();
    expect(await json("GET", "/api/profile/summary")).toEqual({ every: null } as never);
    expect((await call("PUT", "/api/profile/summary", { every: "day" })).status).toBe(422);
    expect(await json("PUT", "/api/profile/summary", { every: "month" })).toEqual({ every: "month" } as never);
    await pass(10 * DAY + 19 * HOUR);
    expect(summaries()).toEqual([]);
    await pass(HOUR);
    await pass(MINUTE);
    const [mail, ...more] = summaries();
    expect(more).toEqual([]);
    expect(mail?.content.subject).toBe("Your addresses in November 2026");
    expect(mail?.content.preview).toBe("1 new alert. 1 alert needs your attention.");
    const text = JSON.stringify(mail?.content.blocks);
    for (const words of ["1 address", "December 1, 2026", EMAIL]) expect(text).toContain(words);

    const link = new URL(mail?.oneClickUrl ?? "").pathname;
    expect((await world.app.request(link)).headers.get("Location")).toContain("/en/manage-contact#t=summary.");
    await signIn();
    expect(await json("GET", "/api/profile/summary")).toEqual({ every: "month" } as never);
    const oneClick = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
    expect((await world.app.request(link, oneClick)).status).toBe(200);
    expect(await json("GET", "/api/profile/summary")).toEqual({ every: null } as never);
    const { items } = await json<{ items: { state: string }[] }>("GET", "/api/contacts");
    expect(items.map(({ state }) => state)).toEqual(["active"]);
    await pass(31 * DAY);
    expect(summaries()).toHaveLength(1);
  });

  test("cannot be seen or changed without a session", async () => {
    const { world } = await watching();
    for (const method of ["GET", "PUT"]) {
      const headers = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };
      const body = method === "PUT" ? { body: JSON.stringify({ every: "month" }) } : {};
      expect((await world.app.request("/api/profile/summary", { method, headers, ...body })).status).toBe(401);
    }
  });
});
