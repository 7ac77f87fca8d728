import { describe, expect, test } from "bun:test";
import { addressHashes } from "../../src/breaches/adapters/sources/dataset/address_hashes.ts";
import { ALICE, aBreach } from "../support/builders.ts";
import { HOUR, MINUTE } from "../support/clock.ts";
import { type Ground, memoryGround, PUSH_TOKENS, settle, signedUp, worldOn } from "../support/world.ts";

const PATH = "/api/hibp/notify";
const { sha1 } = addressHashes(ALICE.address);
const STRANGER = addressHashes("stranger@example.org").sha1;
const NEW = aBreach({ name: "New", title: "New Shop", addedDate: "2026-11-20T11:00:00Z" });
const notice = (more: object = {}) => ({
  breachName: "New",
  hashPrefix: sha1.slice(0, 6),
  hashSuffixes: [STRANGER.slice(6), sha1.slice(6)],
  ...more,
});

async function watchingAlice(ground: Ground = memoryGround()) {
  ground.feed.publish(aBreach({ name: "Old" }));
  const world = worldOn(ground);
  await world.breaches.pollCatalogue();
  const call = await signedUp(world, ALICE.address);
  const contacts = { email: [ALICE.address] };
  await call("POST", "/api/associations", { address: ALICE.address, owner: true, language: "en", contacts });
  await settle(world);
  const push = (body: unknown, token: string | undefined = PUSH_TOKENS[0]) =>
    world.app.request(PATH, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const alerts = async () => {
    const { items } = (await (await call("GET", "/api/alerts")).json()) as {
      items: { breach: { name: string }; sources: string[] }[];
    };
    return items.map(({ breach, sources }) => [breach.name, sources]);
  };
  const mails = () => ground.sender.sent.filter(({ content }) => JSON.stringify(content).includes("New Shop")).length;
  return { ground, world, push, alerts, mails };
}

describe("a push", () => {
  test("for a monitored address becomes an alert and a mail, once, however often it is repeated", async () => {
    const { ground, world, push, alerts, mails } = await watchingAlice();
    ground.feed.publish(NEW);
    await world.breaches.syncCatalogue();
    for (let times = 0; times < 3; times++) {
      const answer = await push(notice());
      expect([answer.status, await answer.json()]).toEqual([200, { success: true }]);
    }
    expect(await alerts()).toEqual([["New", ["push"]]]);
    await settle(world);
    expect(mails()).toBe(1);
    expect(ground.errors).toEqual([]);
  });

  test("accepts hex in any case, unknown keys, and the second token", async () => {
    const { ground, world, push, alerts } = await watchingAlice();
    ground.feed.publish(NEW);
    await world.breaches.syncCatalogue();
    const capitals = { hashPrefix: sha1.slice(0, 6).toUpperCase(), hashSuffixes: [sha1.slice(6).toUpperCase()] };
    expect((await push(notice({ ...capitals, more: 1 }), PUSH_TOKENS[1])).status).toBe(200);
    expect(await alerts()).toEqual([["New", ["push"]]]);
  });

  test("leaves out suffixes that cannot be read, and takes the others", async () => {
    const { ground, world, push, alerts } = await watchingAlice();
    ground.feed.publish(NEW);
    await world.breaches.syncCatalogue();
    const hashSuffixes = [7, null, "short", "\ud83d".repeat(34), sha1.slice(6)];
    expect((await push(notice({ hashSuffixes }))).status).toBe(200);
    expect(await alerts()).toEqual([["New", ["push"]]]);
  });

  test("for other addresses raises nothing and stores nothing", async () => {
    const { world, push, alerts } = await watchingAlice();
    expect((await push(notice({ breachName: "Old", hashSuffixes: [STRANGER.slice(6)] }))).status).toBe(200);
    expect(await alerts()).toEqual([]);
    expect(await world.breaches.countOf(ALICE.accountId)).toBe(0);
  });

  test("for an unknown breach reads the catalogue first, once for many", async () => {
    const { ground, push, alerts } = await watchingAlice();
    ground.feed.publish(NEW);
    ground.clock.pass(HOUR);
    const before = ground.feed.requests.filter(({ call }) => call === "catalogue").length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => push(notice())));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(ground.feed.requests.filter(({ call }) => call === "catalogue")).toHaveLength(before + 1);
    expect(await alerts()).toEqual([["New", ["push"]]]);
  });

  test("for a breach that is in no catalogue is refused, and reads the catalogue at most every five minutes", async () => {
    const { ground, push, alerts } = await watchingAlice();
    ground.clock.pass(HOUR);
    const before = ground.feed.requests.length;
    for (let times = 0; times < 3; times++) {
      const answer = await push(notice());
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "300"]);
    }
    expect(ground.feed.requests).toHaveLength(before + 1);
    expect(await alerts()).toEqual([]);
    ground.feed.publish(NEW);
    ground.clock.pass(5 * MINUTE);
    expect((await push(notice())).status).toBe(200);
    expect(await alerts()).toEqual([["New", ["push"]]]);
  });

  test("is not acknowledged when it could not be stored", async () => {
    const ground = memoryGround();
    let isDown = false;
    const { world } = await watchingAlice(ground);
    const broken = worldOn(ground, async (work) => {
      if (isDown) throw new Error("The database is gone");
      return work();
    });
    isDown = true;
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${PUSH_TOKENS[0]}` };
    const answer = await broken.app.request(PATH, { method: "POST", headers, body: JSON.stringify(notice()) });
    expect(answer.status).toBe(500);
    expect(await world.breaches.countOf(ALICE.accountId)).toBe(0);
  });

  const wrong: [string, unknown, number][] = [
    ["no JSON", "{", 400],
    ["a missing name", notice({ breachName: undefined }), 422],
    ["an empty name", notice({ breachName: "" }), 422],
    ["a name with a NUL character", notice({ breachName: "a\0b" }), 422],
    ["a name with half a character", notice({ breachName: "a\ud83d" }), 422],
    ["a short prefix", notice({ hashPrefix: "abc" }), 422],
    ["a prefix that is not hex", notice({ hashPrefix: "zzzzzz" }), 422],
    ["suffixes that are not a list", notice({ hashSuffixes: sha1.slice(6) }), 422],
    ["no suffixes", notice({ hashSuffixes: [] }), 422],
    ["a suffix of another length", notice({ hashSuffixes: [sha1] }), 422],
    ["a number as a suffix", notice({ hashSuffixes: [7] }), 422],
    ["too many suffixes", notice({ hashSuffixes: Array(20_001).fill(sha1.slice(6)) }), 422],
    ["an oversized body", notice({ more: "x".repeat(1024 * 1024) }), 413],
  ];
  test.each(wrong)("with %s is rejected", async (_, body, status) => {
    const { push, alerts } = await watchingAlice();
    expect((await push(body)).status).toBe(status);
    expect(await alerts()).toEqual([]);
  });

  test.each([
    "",
    "wrong-token-0123456789abcdef-0123456789",
    `${PUSH_TOKENS[0]}x`,
    `${PUSH_TOKENS[0]},${PUSH_TOKENS[1]}`,
  ])("with the token %j is rejected, and not logged", async (token) => {
    const { ground, push } = await watchingAlice();
    const answer = await push("x".repeat(2_000_000), token);
    expect([answer.status, answer.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
    expect(await answer.text()).toBe('{"code":"UNAUTHENTICATED"}');
    expect(ground.errors).toEqual([]);
  });
});
