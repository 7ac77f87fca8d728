import { describe, expect, test } from "bun:test";
import { aBreach } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { memoryGround, settle, signedUp, worldOn } from "../support/world.ts";

const ALICE = "alice@example.com";
const BOB = "bob@example.com";
const OLD = aBreach({ name: "Old", title: "Old Shop", addedDate: "2020-01-01T00:00:00Z" });
const NEW = aBreach({ name: "New", title: "New Shop", addedDate: "2026-11-20T11:00:00Z" });
const BUSY = { kind: "retry", scope: "contact", reason: "451 later" } as const;

/** Alice has asked Bob for consent; the source has two breaches of his. */
async function asked() {
  const ground = memoryGround();
  ground.feed.publish(OLD);
  ground.feed.expose(BOB, "Old");
  const world = worldOn(ground);
  await world.breaches.pollCatalogue();
  const call = await signedUp(world, ALICE);
  await settle(world);
  const mailsTo = (address: string) => ground.sender.sent.filter(({ to }) => to.value === address);
  return {
    ground,
    world,
    call,
    mailsTo,
    async ask(): Promise<string> {
      const body = { address: BOB, owner: false, language: "de", contacts: { email: [ALICE] } };
      const answer = await call("POST", "/api/associations", body);
      expect(answer.status).toBe(201);
      const { id } = (await answer.json()) as { id: string };
      return id;
    },
    /** Bob's client, without an account. */
    async byLink(path: string, body: object) {
      const answer = await world.app.request(`/api/invitation-links/${path}`, {
        method: "POST",
        headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      return (await answer.json()) as { manageToken: string };
    },
    mailedToken(): string {
      const urls = (mailsTo(BOB).at(-1)?.content.blocks ?? []).flatMap((block) =>
        block.kind === "button" ? [block.url] : [],
      );
      return urls[0]?.split("/de/manage-invitation#t=")[1] ?? "";
    },
  };
}

describe("The flow from a request to an alert", () => {
  test("asks Bob in his language, and notifies Alice of the answer, and then of what was found", async () => {
    const { ground, world, ask, byLink, mailedToken, mailsTo } = await asked();
    await ask();
    await settle(world);
    expect(mailsTo(BOB).map(({ content }) => content.language)).toEqual(["de"]);
    await byLink("accept", { token: mailedToken(), details: true, sensitive: false });
    await settle(world);
    const subjects = mailsTo(ALICE).map(({ content }) => content.subject);
    expect(subjects).toContain(`You may now track ${BOB}`);
    expect(JSON.stringify(mailsTo(ALICE).at(-1))).toContain("Old Shop");
    expect(ground.errors).toEqual([]);
  });

  test("removes the details of pending messages when Bob narrows the scope", async () => {
    const { ground, world, ask, byLink, mailedToken, mailsTo } = await asked();
    await ask();
    await settle(world);
    const { manageToken } = await byLink("accept", { token: mailedToken(), details: true, sensitive: false });
    await settle(world);
    const before = mailsTo(ALICE).length;

    ground.feed.publish(NEW);
    ground.feed.expose(BOB, "New");
    ground.clock.pass(HOUR);
    ground.sender.answer(BUSY);
    await world.breaches.pollCatalogue();
    await settle(world);
    expect(mailsTo(ALICE)).toHaveLength(before);

    await byLink("scope", { token: manageToken, details: false, sensitive: false });
    await settle(world);
    ground.clock.pass(HOUR);
    await settle(world);
    const [alert, ...more] = mailsTo(ALICE).slice(before);
    expect(more).toEqual([]);
    expect(alert?.content.subject).toBe(`Datenleck zu ${BOB} gefunden`);
    expect(JSON.stringify(alert)).not.toMatch(/New|Shop|Passw/i);
    expect(JSON.stringify(alert)).toContain("gibt Ihnen keine Einzelheiten frei");
  });

  test("does not send a request that was cancelled before its mail", async () => {
    const { ground, world, ask, call, mailsTo } = await asked();
    const id = await ask();
    ground.sender.answer(BUSY);
    await settle(world);
    expect((await call("DELETE", `/api/associations/${id}`)).ok).toBe(true);
    ground.clock.pass(HOUR);
    await settle(world);
    expect(mailsTo(BOB)).toEqual([]);
  });

  test("sends a request once, with a valid link, if it could not be sent before its reminder was due", async () => {
    const { ground, world, ask, byLink, mailedToken, mailsTo } = await asked();
    await ask();
    ground.sender.answer(BUSY);
    await settle(world);
    expect(mailsTo(BOB)).toEqual([]);
    ground.clock.pass(2 * DAY + HOUR);
    await settle(world);
    expect(mailsTo(BOB).map(({ content }) => content.subject)).toEqual([
      "Erinnerung: Anfrage von Alice Meyer zu Datenlecks",
    ]);
    await byLink("accept", { token: mailedToken(), details: false, sensitive: false });
  });
});
