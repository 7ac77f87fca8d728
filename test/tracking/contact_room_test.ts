import { expect, test } from "bun:test";
import { memoryGround, signedUp, worldOn } from "../support/world.ts";

test("An address that would exceed the account's contact limit is refused with a code, and nothing is added", async () => {
  const world = worldOn(memoryGround());
  const call = await signedUp(world, "alice@example.com");
  const room = { has: false };
  const has = world.notifications.hasRoomFor;
  world.notifications.hasRoomFor = async (...asked) => room.has && has(...asked);
  const address = {
    address: "alice@example.com",
    owner: true,
    language: "en",
    contacts: { email: ["bob@example.com"] },
  };
  for (const [path, body] of [
    ["/api/associations", address],
    ["/api/associations/bulk", { ...address, address: undefined, addresses: ["alice@example.com"] }],
  ] as const) {
    const refused = await call("POST", path, body);
    expect([refused.status, await refused.json()]).toEqual([409, { code: "CONTACT_LIMIT_REACHED" }]);
  }
  room.has = true;
  const added = await call("POST", "/api/associations", address);
  const { id } = (await added.json()) as { id: string };
  room.has = false;
  const changed = await call("PUT", `/api/associations/${id}`, {
    owner: true,
    language: "en",
    contacts: { email: ["carol@example.com"] },
    paused: false,
  });
  expect(await changed.json()).toEqual({ code: "CONTACT_LIMIT_REACHED" });
});
