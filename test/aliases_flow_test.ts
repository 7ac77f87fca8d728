import { beforeEach, describe, expect, test } from "bun:test";
import { aBreach } from "./support/builders.ts";
import { callerOf, memoryGround, settle, signedUp, worldOn } from "./support/world.ts";

const [ADA, BOB] = ["ada@gmail.com", "bob@example.net"];
const TAG = "ada+adobe@gmail.com";
const SHOP = "shop@alias.example";

type Items = { id: string; address: string; state: string; foundUnder: { address: string; namesService: boolean }[] }[];

let ground: ReturnType<typeof memoryGround>;
let world: ReturnType<typeof worldOn>;
let call: Awaited<ReturnType<typeof signedUp>>;
let id = "";

beforeEach(async () => {
  ground = memoryGround();
  world = worldOn(ground);
  ground.feed.publish(aBreach());
  await world.breaches.pollCatalogue();
  call = await signedUp(world, ADA);
  const body = { address: ADA, owner: true, language: "en", contacts: { email: [ADA] } };
  id = ((await (await call("POST", "/api/associations", body)).json()) as { id: string }).id;
  await settle(world);
  ground.sender.sent.length = 0;
});

const items = async (path: string) => ((await (await call("GET", path)).json()) as { items: Items }).items;
const add = (...addresses: string[]) => call("POST", `/api/associations/${id}/aliases`, { addresses });
const list = () => items(`/api/associations/${id}/aliases`);
const mails = (kind: string) => ground.sender.sent.filter((sent) => sent.kind === kind);
const linkIn = (text: string) => /confirm-alias#t=([\w-]+)/.exec(text)?.[1] ?? "";

describe("aliases of one person", () => {
  test("are found in breaches, alert once, and name the alias and what it is named after", async () => {
    ground.feed.expose(TAG, "Adobe");
    expect((await add(TAG)).status).toBe(201);
    await settle(world);
    const [alert] = await items("/api/alerts");
    expect(alert).toMatchObject({ address: ADA, foundUnder: [{ address: TAG, namesService: true }] });
    expect(mails("alert")).toHaveLength(1);
    const text = JSON.stringify(mails("alert")[0]?.content);
    expect(text).toContain(`The address ${TAG} is in the data`);
    expect(text).toContain("is named after this service");
    const tracked = (await items("/api/associations"))[0] as unknown as { status: string; pendingAlerts: number };
    expect(tracked).toMatchObject({ status: "breached", pendingAlerts: 1 });
    const page = (await (await call("GET", `/api/monitoring?child_email=${ADA}`)).json()) as { findings: Items };
    expect(page.findings).toMatchObject([{ foundUnder: [{ address: TAG }] }]);
    const csv = await (await call("GET", "/api/alerts.csv?language=en")).text();
    expect(csv).toContain(`"Found under"`);
    expect(csv).toContain(TAG);
  });

  test("are checked after a confirmation that anyone who reads their mail can give", async () => {
    ground.feed.expose(SHOP, "Adobe");
    await add(SHOP);
    await settle(world);
    expect(await list()).toMatchObject([{ address: SHOP, state: "pending" }]);
    const [mail] = mails("alias_confirmation");
    expect(mail?.to.value).toBe(SHOP);
    const token = linkIn(JSON.stringify(mail?.content));
    const anyone = callerOf(world);
    const shown = await anyone("POST", "/api/aliases/inspect", { token });
    expect(await shown.json()).toMatchObject({ address: SHOP, account: { email: "a…@gmail.com" } });
    expect(await items("/api/alerts")).toEqual([]);
    expect((await anyone("POST", "/api/aliases/confirm", { token })).status).toBe(200);
    await settle(world);
    expect(await list()).toMatchObject([{ address: SHOP, state: "active" }]);
    expect(await items("/api/alerts")).toMatchObject([{ foundUnder: [{ address: SHOP, namesService: false }] }]);
    expect((await anyone("POST", "/api/aliases/confirm", { token })).status).toBe(410);
  });

  test("look the same, whether they are another account's or no one's", async () => {
    await signedUp(world, BOB);
    await add(BOB, SHOP);
    await settle(world);
    const [one, other] = (await list()).map(({ id: _, address: __, ...rest }) => rest);
    expect(one).toEqual(other as typeof one);
    expect(mails("alias_confirmation").map(({ to }) => to.value)).toEqual([SHOP]);
  });

  test("are imported from a service, from an export of a megabyte, and not from a longer one", async () => {
    const path = `/api/associations/${id}/aliases/import`;
    ground.aliasDirectory.answer = { kind: "list", addresses: [SHOP], proven: [SHOP] };
    const listed = await call("POST", path, { from: "simplelogin", key: "k" });
    expect(await listed.json()).toEqual({ active: 1, pending: 0, known: 0, bad: 0 });
    const export_ = `alias,note\n${SHOP},${"x".repeat(900_000)}\nnews@alias.example,\n`;
    const read = await call("POST", path, { from: "text", text: export_ });
    expect(await read.json()).toEqual({ active: 0, pending: 1, known: 1, bad: 0 });
    const longer = await call("POST", path, { from: "text", text: "x".repeat(1_000_001) });
    expect(await longer.json()).toMatchObject({ fields: { text: "BULK_TOO_LARGE" } });
    expect((await call("POST", path, { from: "text", text: "x".repeat(3_000_000) })).status).toBe(413);
    ground.aliasDirectory.answer = { kind: "refused" };
    const refused = await call("POST", path, { from: "addy", key: "k", base: "https://mine.example" });
    expect([refused.status, await refused.json()]).toMatchObject([422, { code: "ALIAS_KEY_REFUSED" }]);
    for (const base of ["http://mine.example", "https://a:b@mine.example", "nothing"]) {
      const answer = await call("POST", path, { from: "addy", key: "k", base });
      expect(await answer.json()).toMatchObject({ fields: { base: "SERVICE_URL_INVALID" } });
    }
    expect((await (await call("POST", path, { from: "addy", key: "a b" })).json()).fields).toEqual({
      key: "ALIAS_KEY_REQUIRED",
    });
  });

  test("end when they are removed, with what was found under them, and with their account", async () => {
    ground.feed.expose(TAG, "Adobe");
    await add(TAG);
    await settle(world);
    const [alias] = await list();
    expect((await call("DELETE", `/api/associations/${id}/aliases/${alias?.id}`)).status).toBe(200);
    await settle(world);
    expect(await items("/api/alerts")).toEqual([]);
    expect(await list()).toEqual([]);
    await add(TAG);
    await settle(world);
    await call("DELETE", `/api/associations/${id}`);
    await settle(world);
    expect(await items("/api/alerts")).toEqual([]);
    expect((await call("GET", `/api/associations/${id}/aliases`)).status).toBe(404);
  });

  test("are told of a second time when a later breach has another of them", async () => {
    ground.feed.expose(TAG, "Adobe");
    await add(TAG);
    await settle(world);
    ground.feed.expose("ada+2@gmail.com", "Adobe");
    await add("ada+2@gmail.com");
    await settle(world);
    expect(mails("alert")).toHaveLength(2);
    expect((await items("/api/alerts")).map(({ foundUnder }) => foundUnder.length)).toEqual([2]);
  });
});
