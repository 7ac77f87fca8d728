import { describe, expect, test } from "bun:test";
import { aBreach } from "./support/builders.ts";
import { DAY } from "./support/clock.ts";
import { memoryGround, settle, signedUp, worldOn } from "./support/world.ts";

const EMAIL = "alice@breachbell.example";
const SUBJECT = "The deadline of your letter has passed";

/** Alice wrote to a company because of an alert of her own address. */
async function waiting() {
  const ground = memoryGround();
  const world = worldOn(ground);
  ground.feed.publish(aBreach());
  ground.feed.expose(EMAIL, "Adobe");
  const call = await signedUp(world, EMAIL);
  const tracked = { address: EMAIL, owner: true, language: "en", contacts: { email: [EMAIL] } };
  await call("POST", "/api/associations", tracked);
  await world.breaches.syncCatalogue();
  await settle(world);
  const { items } = (await (await call("GET", "/api/alerts")).json()) as { items: { id: string }[] };
  const sentOn = new Date(ground.clock.now()).toISOString().slice(0, 10);
  const letter = { company: "Northwind AG", asks: ["erasure"], country: "DE", language: "de", sentOn };
  expect((await call("POST", `/api/alerts/${items[0]?.id}/letters`, letter)).status).toBe(201);
  return {
    ...{ ground, world, call },
    reminders: () => ground.sender.sent.filter(({ kind }) => kind === "letter_due"),
    async pass(ms: number): Promise<void> {
      ground.clock.pass(ms);
      await world.breaches.remindOfLetters();
      await settle(world);
    },
  };
}

describe("A missed deadline of a letter", () => {
  test("is announced once to the contacts of the address", async () => {
    const { pass, reminders } = await waiting();
    await pass(20 * DAY);
    expect(reminders()).toEqual([]);
    await pass(20 * DAY);
    await pass(20 * DAY);
    expect(reminders()).toMatchObject([{ to: { value: EMAIL }, content: { subject: SUBJECT } }]);
  });

  test("is not announced after the account was deleted", async () => {
    const { call, pass, reminders } = await waiting();
    expect((await call("POST", "/api/profile/delete", { password: "Tranquil-Harbour-42" })).status).toBe(200);
    await pass(40 * DAY);
    expect(reminders()).toEqual([]);
  });
});
