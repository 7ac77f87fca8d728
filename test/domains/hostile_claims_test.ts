import { expect, test } from "bun:test";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { DAY, domainWorld, found, HOUR, keys } from "./domain_world.ts";

const [alice, bob] = [ALICE.accountId, BOB.accountId];
const set = {
  catchAll: false,
  roleSensitive: false,
  digest: "at_once" as const,
  tellPeople: false,
  language: "en" as const,
};
const ANY = { kind: undefined, breach: undefined, search: "", after: undefined };

test("a stranger's unproven claim changes nothing of the domain's people", async () => {
  const w = domainWorld();
  const id = await w.hold(alice);
  w.answers.breaches = found({ anna: ["Adobe"] });
  await w.domains.askSources();
  expect(accepted(await w.domains.listDomainAddresses(alice, id, ANY)).items).toEqual([]);
  const { id: claim } = accepted(await w.domains.addDomain(bob, { name: "example.org", proof: "dns" }));
  accepted(await w.domains.changeDomain(bob, claim, { ...set, catchAll: true }));
  expect(accepted(await w.domains.listDomainAddresses(alice, id, ANY)).items).toEqual([]);
});

test("a failing claim with its proof changed to mail ends", async () => {
  const w = domainWorld();
  const id = await w.hold(alice);
  w.proofs.published.clear();
  w.clock.pass(31 * DAY);
  await w.domains.lookForProofs();
  expect(accepted(await w.domains.showDomain(alice, id)).state).toBe("failing");
  accepted(await w.domains.changeProof(alice, id, { proof: "mail", mailbox: "security" }));
  for (let d = 0; d < 60; d++) {
    w.clock.pass(DAY);
    await w.domains.lookForProofs();
  }
  expect(accepted(await w.domains.showDomain(alice, id)).state).toBe("ended");
});

test("a failing claim whose proof is changed again and again ends", async () => {
  const w = domainWorld();
  const id = await w.hold(alice);
  w.proofs.published.clear();
  w.clock.pass(31 * DAY);
  await w.domains.lookForProofs();
  for (let h = 0; h < 24 * 20; h++) {
    await w.domains.changeProof(alice, id, { proof: "dns" });
    w.clock.pass(HOUR - 60_000);
    await w.domains.lookForProofs();
  }
  expect(accepted(await w.domains.showDomain(alice, id)).state).not.toBe("failing");
});

test("a code that was mailed before the 72 hours are over does not end them", async () => {
  const w = domainWorld();
  await w.hold(bob);
  const { id } = accepted(
    await w.domains.addDomain(alice, { name: "example.org", proof: "mail", mailbox: "security" }),
  );
  accepted(await w.domains.sendDomainCode(alice, id));
  expect(accepted(await w.domains.enterDomainCode(alice, id, "123456")).state).toBe("waiting");
  const again = await w.domains.sendDomainCode(alice, id);
  // The mailbox is out of reach from here on; the code is known.
  w.clock.pass(73 * HOUR);
  const entered = await w.domains.enterDomainCode(alice, id, "123456");
  expect([again.ok, entered.ok]).toEqual([false, false]);
});

test("marking an address tells nothing of people who were not told", async () => {
  const w = domainWorld();
  const id = await w.hold(alice);
  w.answers.breaches = found({ anna: ["Dating"] });
  await w.domains.askSources();
  const there = await w.domains.markDomainAddress(alice, id, { alias: "anna", kind: "person" });
  const not = await w.domains.markDomainAddress(alice, id, { alias: "none", kind: "person" });
  expect(there).toEqual(not as never);
});

test("a pending claim sees nothing of the sources of another's domain", async () => {
  const w = domainWorld();
  w.answers.breaches = { kind: "unverified" };
  w.answers.begin = { kind: "record", value: "hibp-secret-record" };
  await w.hold(alice);
  await w.domains.askSources();
  const { id } = accepted(await w.domains.addDomain(bob, { name: "example.org", proof: "dns" }));
  expect(accepted(await w.domains.sourcesOf(bob, id)).items[0]).toMatchObject({ state: "unasked", record: null });
});

test("a stranger's claim keeps no one's say once the last holder left", async () => {
  const w = domainWorld();
  const id = await w.hold(alice);
  w.answers.breaches = found({ anna: ["Adobe"] });
  await w.domains.askSources();
  await w.domains.tellPeople();
  accepted(await w.domains.addDomain(bob, { name: "example.org", proof: "dns" }));
  accepted(await w.domains.removeDomain(alice, id));
  expect(await w.transaction(({ findings }) => findings.findMailbox("example.org", "anna"))).toBeUndefined();
});

test("a person who took a role mailbox over shows what they say", async () => {
  const w = domainWorld();
  const id = await w.hold(alice);
  accepted(await w.domains.changeDomain(alice, id, { ...set, roleSensitive: true }));
  w.answers.breaches = found({ hr: ["Adobe", "Dating"] });
  await w.domains.askSources();
  w.accounts.set(bob, {
    email: "hr@example.org",
    verified: true,
    language: "en",
    firstName: "B",
    lastName: "B",
    network: undefined,
  });
  accepted(await w.domains.answerOwnDomain(bob, { say: "standard" }));
  expect(accepted(await w.domains.showDomainAddress(alice, id, "hr")).breaches.map((b) => b.name)).toEqual(["Adobe"]);
});

test("the link of an earlier holder's time ends with the claim", async () => {
  const w = domainWorld();
  const id = await w.hold(alice);
  w.answers.breaches = found({ anna: ["Adobe", "Dating"] });
  await w.domains.askSources();
  await w.mails();
  await w.domains.tellPeople();
  const [mail] = await w.mails();
  const { token } = JSON.parse(keys.cipher.decrypt(mail?.sealed ?? ""));
  accepted(await w.domains.inspectDomainLink(token));
  accepted(await w.domains.removeDomain(alice, id));
  w.clock.pass(400 * DAY);
  await w.hold(bob);
  await w.domains.askSources();
  expect((await w.domains.inspectDomainLink(token)).ok).toBe(false);
});

test("what a person said to one holder does not hold for the next, whom they were not told of", async () => {
  const w = domainWorld();
  const id = await w.hold(alice);
  w.answers.breaches = found({ anna: ["Adobe"] });
  await w.domains.askSources();
  await w.domains.tellPeople();
  w.proofs.published.clear();
  w.clock.pass(31 * DAY);
  await w.domains.lookForProofs();
  w.clock.pass(8 * DAY);
  await w.domains.lookForProofs();
  expect(accepted(await w.domains.showDomain(alice, id)).state).toBe("ended");
  const b = await w.hold(bob);
  await w.domains.askSources();
  expect(accepted(await w.domains.listDomainAddresses(bob, b, ANY)).items).toEqual([]);
});

test("a catch-all ends with the claim that said so", async () => {
  const w = domainWorld();
  const a = await w.hold(alice);
  const b = await w.hold(bob, "example.org", "file");
  w.clock.pass(73 * HOUR);
  await w.domains.lookForProofs();
  accepted(await w.domains.changeDomain(alice, a, { ...set, catchAll: true }));
  w.answers.breaches = found({ anna: ["Adobe"] });
  await w.domains.askSources();
  accepted(await w.domains.removeDomain(alice, a));
  expect(accepted(await w.domains.listDomainAddresses(bob, b, ANY)).items).toEqual([]);
});

test("a catch-all also ends with the claim whose proof did not return", async () => {
  const w = domainWorld();
  const a = await w.hold(alice);
  const b = await w.hold(bob, "example.org", "file");
  w.clock.pass(73 * HOUR);
  await w.domains.lookForProofs();
  accepted(await w.domains.changeDomain(alice, a, { ...set, catchAll: true }));
  w.answers.breaches = found({ anna: ["Adobe"] });
  await w.domains.askSources();
  w.proofs.published.delete("dns example.org");
  for (let day = 0; day < 45; day++) {
    w.clock.pass(DAY);
    await w.domains.lookForProofs();
  }
  expect(accepted(await w.domains.showDomain(alice, a)).state).toBe("ended");
  expect(accepted(await w.domains.listDomainAddresses(bob, b, ANY)).items).toEqual([]);
  expect(await w.domains.tellPeople()).toBe(1);
});

test("a catch-all counts again with the claim that is proven again", async () => {
  const w = domainWorld();
  const a = await w.hold(alice);
  await w.hold(bob, "example.org", "file");
  w.clock.pass(73 * HOUR);
  await w.domains.lookForProofs();
  accepted(await w.domains.changeDomain(alice, a, { ...set, catchAll: true }));
  w.answers.breaches = found({ anna: ["Adobe"] });
  await w.domains.askSources();
  const proof = w.proofs.published.get("dns example.org") ?? "";
  w.proofs.published.delete("dns example.org");
  for (let day = 0; day < 45; day++) {
    w.clock.pass(DAY);
    await w.domains.lookForProofs();
  }
  w.proofs.published.set("dns example.org", proof);
  accepted(await w.domains.checkDomain(alice, a));
  w.clock.pass(73 * HOUR);
  await w.domains.lookForProofs();
  expect(accepted(await w.domains.showDomain(alice, a)).state).toBe("proven");
  expect(await w.domains.tellPeople()).toBe(0);
});

test("a failing claim cannot be kept by a proof that no one can look at", async () => {
  const w = domainWorld();
  const id = await w.hold(alice);
  w.proofs.published.clear();
  w.clock.pass(30 * DAY + 1000);
  await w.domains.lookForProofs();
  accepted(await w.domains.changeProof(alice, id, { proof: "file" }));
  w.proofs.look = async () => ({ kind: "unreachable", reason: "x" });
  for (let h = 0; h < 24 * 8; h++) {
    w.clock.pass(HOUR);
    await w.domains.lookForProofs();
  }
  expect(accepted(await w.domains.showDomain(alice, id)).state).toBe("ended");
});
