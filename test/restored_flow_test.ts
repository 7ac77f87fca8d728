import { describe, expect, test } from "bun:test";
import { deletionOf } from "../src/identity/account/deletion.ts";
import { ALICE, ALL, ask, BOB, bring, consentWorld, signIn } from "./consent/consent_world.ts";
import { memoryIdentity } from "./memory/identity/store.ts";
import { settle } from "./support/world.ts";

/** Alice watches Bob's address with his consent; then one of them is deleted, for the first time or again after a restore. */
async function deleted(email: string, repeated: boolean) {
  const one = await consentWorld();
  const { ground, world } = one;
  const asked = await ask(one, ALICE);
  await bring(one, asked, "accepted", ALL);
  const before = ground.sender.sent.length;
  await ground.transactionOf(memoryIdentity)(async (store) => {
    const user = await store.users.findByEmail(email);
    if (!user) throw new Error(`There is no account of ${email}`);
    await store.users.remove(user.id);
    await store.events.publish({
      ...deletionOf({ ...user, verifiedAt: ground.clock.now() }),
      ...(repeated && { repeated }),
    });
  });
  await settle(world);
  return { ...one, mailed: ground.sender.sent.slice(before).map(({ to }) => to.value) };
}

describe("an account that is deleted again after a restore", () => {
  test("ends what it watched, and the owner of the address is not told a second time", async () => {
    expect((await deleted(ALICE, false)).mailed).toEqual([BOB]);
    const { mailed, world } = await deleted(ALICE, true);
    expect(mailed).toEqual([]);
    const bob = await signIn(world, BOB);
    expect(await (await bob("GET", "/api/grants/may-watch")).json()).toMatchObject({ items: [] });
  });

  test("ends the consents that it gave, and nobody who watched is told a second time", async () => {
    expect((await deleted(BOB, false)).mailed).toEqual([ALICE]);
    const { mailed, world } = await deleted(BOB, true);
    expect(mailed).toEqual([]);
    const alice = await signIn(world, ALICE);
    expect(await (await alice("GET", "/api/associations")).json()).toMatchObject({ items: [] });
  });
});
