import { describe, expect, test } from "bun:test";
import { postOffice } from "../notifications/post_office.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { DAY, domainWorld, HOUR } from "./domain_world.ts";

const [alice, bob] = [ALICE.accountId, BOB.accountId];

/** With the notifications, which send identical mails only once. */
function sendingWorld() {
  const w = domainWorld();
  const post = postOffice();
  /** The templates of the mails that one account was sent since the start. */
  async function sentTo(accountId: string): Promise<string[]> {
    for (const mail of await w.mails()) await post.onMailRequested(mail);
    const { deliveries } = await post.recordsOf(accountId);
    return deliveries.map(({ about }) => about.kind);
  }
  return { ...w, sentTo };
}

describe("a notice about a domain is sent each time", () => {
  test("that another administrator proves it", async () => {
    const w = sendingWorld();
    await w.hold(alice);
    for (let time = 1; time <= 2; time += 1) {
      const id = await w.hold(bob, "example.org", "file");
      w.clock.pass(72 * HOUR);
      await w.domains.lookForProofs();
      expect(await w.domains.showDomain(bob, id)).toMatchObject({ value: { state: "proven" } });
      for (const accountId of [alice, bob])
        expect((await w.sentTo(accountId)).filter((kind) => kind === "domain_shared")).toHaveLength(time);
      accepted(await w.domains.removeDomain(bob, id));
    }
  });

  test("that a claim ends, also after it was proven again", async () => {
    const w = sendingWorld();
    const id = await w.hold(alice);
    const value = w.proofs.published.get("dns example.org") ?? "";
    for (let time = 1; time <= 2; time += 1) {
      w.proofs.published.clear();
      w.clock.pass(30 * DAY);
      await w.domains.lookForProofs();
      for (let day = 0; day < 7; day += 1) {
        w.clock.pass(DAY);
        await w.domains.lookForProofs();
      }
      expect(await w.domains.showDomain(alice, id)).toMatchObject({ value: { state: "ended" } });
      const sent = await w.sentTo(alice);
      for (const template of ["domain_proof_missing", "domain_ended"])
        expect(sent.filter((kind) => kind === template)).toHaveLength(time);
      w.proofs.published.set("dns example.org", value);
      expect(await w.domains.checkDomain(alice, id)).toMatchObject({ value: { state: "proven" } });
    }
  });
});
