import { describe, expect, test } from "bun:test";
import { aBreach } from "./support/builders.ts";
import { HOUR } from "./support/clock.ts";
import { callerOf, memoryGround, settle, signedUp, worldOn } from "./support/world.ts";

const ADMIN = "alice@breachbell.example";
const DOMAIN = "example.org";
const SETTINGS = { catchAll: false, roleSensitive: false, tellPeople: false, digest: "at_once", language: "en" };

/** Alice has proven example.org; the source knows three of its addresses. */
async function proven() {
  const ground = memoryGround();
  const world = worldOn(ground);
  ground.feed.publish(aBreach(), aBreach({ name: "Dating", flags: ["sensitive"] }));
  await world.breaches.syncCatalogue();
  const call = await signedUp(world, ADMIN);
  const added = await call("POST", "/api/domains", { name: DOMAIN, proof: "dns" });
  expect(added.status).toBe(201);
  const { id } = (await added.json()) as { id: string };
  const path = `/api/domains/${id}`;
  const { record } = (await (await call("GET", path)).json()) as { record: { value: string } };
  ground.proofs.published.set(`dns ${DOMAIN}`, record.value);
  expect(await (await call("POST", `${path}/check`, {})).json()).toMatchObject({ state: "proven" });
  expect((await call("PUT", path, SETTINGS)).status).toBe(200);
  ground.feed.domains.verified.add(DOMAIN);
  for (const alias of ["ada", "bob", "info"])
    ground.feed.domains.breaches.set(`${alias}@${DOMAIN}`, ["Adobe", "Dating"]);
  ground.sender.sent.length = 0;

  /** Runs the jobs of whole domains. */
  async function run(): Promise<void> {
    await world.domains.askSources();
    await world.domains.tellPeople();
    ground.clock.pass(1000);
    await world.domains.tellAdministrators();
    await settle(world);
  }
  const mailsTo = (to: string) =>
    ground.sender.sent.filter(({ to: { value }, kind }) => value === to && kind?.startsWith("domain_"));
  const list = async () =>
    (
      (await (await call("POST", `${path}/addresses/list`, {})).json()) as {
        items: { alias: string; findings: number }[];
      }
    ).items;
  return { ground, world, call, path, run, mailsTo, list };
}

/** The token of the link in a person's mail. */
function tokenIn(mails: { content: unknown }[]): string {
  return /domain-notice#t=([\w.-]+)/.exec(JSON.stringify(mails.at(-1)))?.[1] ?? "";
}

describe("A whole domain", () => {
  test("is proven, its people are told, and the administrator gets one message with what may be shown", async () => {
    const { run, mailsTo, list } = await proven();
    await run();
    expect(mailsTo(`ada@${DOMAIN}`)).toMatchObject([{ kind: "domain_notice" }]);
    expect(mailsTo(`info@${DOMAIN}`)).toEqual([]);
    const [message, ...others] = mailsTo(ADMIN);
    expect(others).toEqual([]);
    expect(message).toMatchObject({ kind: "domain_findings", content: { subject: "New findings at example.org" } });
    const text = JSON.stringify(message?.content);
    expect(text).toContain("3 new findings concern 3 addresses");
    expect(text).not.toContain("ada@");
    expect((await list()).map(({ alias, findings }) => [alias, findings])).toEqual([
      ["ada", 1],
      ["bob", 1],
      ["info", 1],
    ]);
    await run();
    expect(mailsTo(ADMIN)).toHaveLength(1);
  });

  test("lets a person take their address over by the link, and read each look", async () => {
    const { world, run, mailsTo, list } = await proven();
    await run();
    await list();
    const stranger = callerOf(world);
    const token = tokenIn(mailsTo(`ada@${DOMAIN}`));
    const inspected = await stranger("POST", "/api/domain-links/inspect", { token });
    expect(await inspected.json()).toMatchObject({
      address: `ada@${DOMAIN}`,
      administrators: [{ name: "Alice Meyer", email: "a…@breachbell.example" }],
      say: "standard",
      looks: [{ what: "list", by: { name: "Alice Meyer" } }],
    });
    expect((await stranger("POST", "/api/domain-links/answer", { token, say: "nothing" })).status).toBe(200);
    expect((await list()).map(({ alias }) => alias)).toEqual(["bob", "info"]);
    expect((await stranger("POST", "/api/domain-links/answer", { token: `${token}x`, say: "all" })).status).toBe(410);
    // A person who registers with the address finds the same choice in their account.
    const ada = await signedUp(world, `ada@${DOMAIN}`);
    expect(await (await ada("GET", "/api/own-domain")).json()).toMatchObject({ view: { say: "nothing", taken: true } });
    expect((await ada("PUT", "/api/own-domain", { say: "all" })).status).toBe(200);
    expect((await list()).find(({ alias }) => alias === "ada")?.findings).toBe(2);
  });

  test("tells its administrator after the quiet hours of their contact, and a test message is marked", async () => {
    const { ground, world, call, path, run, mailsTo } = await proven();
    await run();
    const { items } = (await (await call("GET", "/api/contacts")).json()) as { items: { id: string }[] };
    const plain = {
      discreet: false,
      language: null,
      digestBelow: null,
      digestHour: null,
      device: null,
      emergency: false,
    };
    const quiet = { ...plain, quiet: { from: "12:00", to: "20:00" }, zone: "UTC" };
    const set = await call("PUT", `/api/contacts/${items[0]?.id}/settings`, quiet);
    expect(set.status).toBe(200);
    expect((await call("POST", `${path}/drill`, {})).status).toBe(202);
    await settle(world);
    expect(mailsTo(ADMIN)).toHaveLength(1);
    ground.clock.pass(8 * HOUR);
    await world.notifications.gatherDue();
    await settle(world);
    expect(mailsTo(ADMIN)).toHaveLength(2);
    expect(JSON.stringify(mailsTo(ADMIN)[1]?.content)).toContain("This is a test");
  });

  test("is gone with its account, and with it everything of its people", async () => {
    const { ground, world, call, run } = await proven();
    await run();
    expect((await call("POST", "/api/profile/delete", { password: "Tranquil-Harbour-42" })).status).toBe(200);
    await settle(world);
    const left = await ground.transactionOf((tables) => tables)(async (tables) =>
      ["domain", "finding", "mailbox", "look", "source"].flatMap((name) => tables(`domains.${name}`).filter()),
    );
    expect(left).toEqual([]);
  });
});
