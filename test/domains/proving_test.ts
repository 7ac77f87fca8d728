import { describe, expect, test } from "bun:test";
import { ALICE, accepted, BOB, CHARLIE } from "../support/builders.ts";
import { DAY, domainWorld, HOUR } from "./domain_world.ts";

const PROOF = { proof: "dns" } as const;
const [alice, bob] = [ALICE.accountId, BOB.accountId];

describe("addDomain()", () => {
  test("refuses what is no domain, belongs to the public, or was added before", async () => {
    const { domains } = domainWorld();
    const add = (name: string) => domains.addDomain(alice, { name, ...PROOF });
    expect(await add("ada@example.org")).toMatchObject({ code: "DOMAIN_INVALID", fields: { name: "DOMAIN_INVALID" } });
    expect(await add("GMail.com")).toMatchObject({ code: "DOMAIN_PUBLIC" });
    expect(await add("Example.org")).toMatchObject({ ok: true });
    expect(await add("example.org.")).toMatchObject({ code: "DOMAIN_ALREADY_ADDED" });
    expect(await domains.addDomain(bob, { name: "example.org", ...PROOF })).toMatchObject({ ok: true });
  });

  test("takes an international name in any spelling", async () => {
    const { domains } = domainWorld();
    const { id } = accepted(await domains.addDomain(alice, { name: "Müller.example", ...PROOF }));
    expect(await domains.showDomain(alice, id)).toMatchObject({ value: { name: "xn--mller-kva.example" } });
    const again = await domains.addDomain(alice, { name: "xn--mller-kva.example", ...PROOF });
    expect(again).toMatchObject({ code: "DOMAIN_ALREADY_ADDED" });
  });

  test("keeps the plan's limit under parallel requests", async () => {
    const { domains, allowances } = domainWorld();
    allowances.set(alice, { active: true, domains: 2, addresses: 50 });
    const added = await Promise.all(
      Array.from({ length: 6 }, (_, index) => domains.addDomain(alice, { name: `d${index}.example`, ...PROOF })),
    );
    expect(added.filter(({ ok }) => ok)).toHaveLength(2);
    expect(added.filter((one) => !one.ok && one.code === "USER_INSUFFICIENT")).toHaveLength(4);
    allowances.set(bob, { active: false, domains: 0, addresses: 0 });
    expect(await domains.addDomain(bob, { name: "example.org", ...PROOF })).toMatchObject({ code: "USER_INACTIVE" });
  });

  test("belongs to its own account alone", async () => {
    const { domains, hold } = domainWorld();
    const id = await hold(alice);
    expect(await domains.showDomain(bob, id)).toMatchObject({ code: "NOT_FOUND" });
    expect(await domains.removeDomain(bob, id)).toMatchObject({ code: "NOT_FOUND" });
    expect(await domains.checkDomain(bob, id)).toMatchObject({ code: "NOT_FOUND" });
    expect(await domains.showOverview(bob, id)).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a visible proof", () => {
  test("takes effect when it is seen, and is looked for at most every ten seconds", async () => {
    const { domains, proofs, clock } = domainWorld();
    const { id } = accepted(await domains.addDomain(alice, { name: "example.org", ...PROOF }));
    expect(await domains.checkDomain(alice, id)).toMatchObject({ value: { state: "pending", found: false } });
    expect(await domains.checkDomain(alice, id)).toMatchObject({ code: "RATE_LIMITED", retryAfter: 10 });
    clock.pass(10_000);
    const { record } = accepted(await domains.showDomain(alice, id));
    expect(record?.value).toBe(`breachbell-verification=${record?.token}`);
    proofs.published.set("dns example.org", record?.value ?? "");
    const answers = await Promise.all([domains.checkDomain(alice, id), domains.checkDomain(alice, id)]);
    expect(answers).toMatchObject([{ value: { state: "proven", found: true } }, { code: "RATE_LIMITED" }]);
    expect(proofs.looks).toHaveLength(2);
  });

  test("is found by the job, too", async () => {
    const { domains, proofs, clock } = domainWorld();
    const { id } = accepted(await domains.addDomain(alice, { name: "example.org", proof: "file" }));
    const { record } = accepted(await domains.showDomain(alice, id));
    await domains.lookForProofs();
    expect(proofs.looks).toEqual([]);
    proofs.published.set("file example.org", record?.value ?? "");
    clock.pass(HOUR);
    expect(await domains.lookForProofs()).toBe(1);
    expect(await domains.showDomain(alice, id)).toMatchObject({ value: { state: "proven" } });
  });

  test("that disappears is announced, and ends after a week, with everything that was found", async () => {
    const { domains, proofs, clock, mails, hold, transaction } = domainWorld();
    const id = await hold(alice);
    await domains.addImported([{ domain: "example.org", alias: "info", breachName: "Adobe" }]);
    proofs.published.clear();
    clock.pass(30 * DAY);
    await domains.lookForProofs();
    expect(await domains.showDomain(alice, id)).toMatchObject({ value: { state: "failing" } });
    expect(await mails()).toMatchObject([{ template: "domain_proof_missing", to: ALICE.address, language: "de" }]);
    // What was found is shown meanwhile.
    expect(await domains.showOverview(alice, id)).toMatchObject({ value: { counts: { role: 1 } } });
    for (let day = 0; day < 7; day++) {
      clock.pass(DAY);
      await domains.lookForProofs();
    }
    expect(await domains.showDomain(alice, id)).toMatchObject({ value: { state: "ended" } });
    expect(await mails()).toMatchObject([{ template: "domain_ended" }]);
    expect(await domains.showOverview(alice, id)).toMatchObject({ code: "DOMAIN_UNPROVEN" });
    expect(await transaction(({ findings }) => findings.listOf("example.org", ["info"]))).toEqual([]);
  });

  test("that returns in time counts as if nothing had happened", async () => {
    const { domains, proofs, clock, hold } = domainWorld();
    const id = await hold(alice);
    const { provenAt } = accepted(await domains.showDomain(alice, id));
    const value = proofs.published.get("dns example.org") ?? "";
    proofs.published.clear();
    clock.pass(30 * DAY);
    await domains.lookForProofs();
    proofs.published.set("dns example.org", value);
    clock.pass(DAY);
    await domains.lookForProofs();
    expect(await domains.showDomain(alice, id)).toMatchObject({
      value: { state: "proven", provenAt, failingSince: null },
    });
  });

  test("whose server cannot be reached stays for a week longer", async () => {
    const { domains, proofs, clock, hold, mails } = domainWorld();
    const id = await hold(alice);
    proofs.failAt("example.org", { kind: "unreachable", reason: "it took too long" });
    for (let day = 0; day < 37; day++) {
      clock.pass(DAY);
      await domains.lookForProofs();
    }
    expect(await domains.showDomain(alice, id)).toMatchObject({ value: { state: "proven" } });
    expect(await mails()).toEqual([]);
    clock.pass(DAY);
    await domains.lookForProofs();
    expect(await domains.showDomain(alice, id)).toMatchObject({ value: { state: "failing" } });
    clock.pass(10_000);
    expect(await domains.checkDomain(alice, id)).toMatchObject({ value: { found: false, reason: "it took too long" } });
  });
});

describe("a domain that someone else holds", () => {
  test("takes effect after 72 hours, of which the first holder is told; then both know of each other", async () => {
    const { domains, clock, mails, hold } = domainWorld();
    const [first, second] = [await hold(alice), await hold(bob, "example.org", "file")];
    expect(await domains.showDomain(bob, second)).toMatchObject({
      value: { state: "waiting", effectiveAt: "2026-11-23T12:00:00.000Z" },
    });
    expect(await domains.showOverview(bob, second)).toMatchObject({ code: "DOMAIN_UNPROVEN" });
    const [contested, ...none] = await mails();
    expect(none).toEqual([]);
    expect(contested).toMatchObject({
      template: "domain_contested",
      to: ALICE.address,
      params: { name: "Bob Example" },
    });
    clock.pass(71 * HOUR);
    await domains.checkDomain(bob, second);
    await domains.lookForProofs();
    expect(await domains.showDomain(bob, second)).toMatchObject({ value: { state: "waiting" } });
    clock.pass(HOUR);
    await domains.lookForProofs();
    expect(await domains.showDomain(bob, second)).toMatchObject({ value: { state: "proven" } });
    expect((await mails()).map(({ template, to }) => [template, to])).toEqual([
      ["domain_shared", ALICE.address],
      ["domain_shared", BOB.address],
    ]);
    for (const [accountId, id] of [
      [alice, first],
      [bob, second],
    ] as const)
      expect(accepted(await domains.showOverview(accountId, id)).administrators).toHaveLength(2);
  });

  test("starts again when its proof is gone after these hours, as after a hijack", async () => {
    const { domains, proofs, clock, hold } = domainWorld();
    await hold(alice);
    const second = await hold(bob, "example.org", "file");
    proofs.published.delete("file example.org");
    clock.pass(72 * HOUR);
    await domains.lookForProofs();
    expect(await domains.showDomain(bob, second)).toMatchObject({ value: { state: "pending", effectiveAt: null } });
  });

  test("keeps its findings when the first administrator leaves", async () => {
    const { domains, clock, hold, transaction } = domainWorld();
    await hold(alice);
    const second = await hold(bob, "example.org", "file");
    clock.pass(72 * HOUR);
    await domains.lookForProofs();
    await domains.addImported([{ domain: "example.org", alias: "info", breachName: "Adobe" }]);
    await domains.onDeleted({ type: "identity.deleted", accountId: alice });
    expect(await domains.showOverview(bob, second)).toMatchObject({ value: { counts: { role: 1 } } });
    await domains.onDeleted({ type: "identity.deleted", accountId: bob });
    expect(await transaction(({ findings }) => findings.listOf("example.org", ["info"]))).toEqual([]);
  });
});

describe("a mailed code", () => {
  const MAIL = { proof: "mail", mailbox: "hostmaster" } as const;

  test("proves the domain, and allows five tries", async () => {
    const { domains, mails } = domainWorld();
    const { id } = accepted(await domains.addDomain(alice, { name: "example.org", ...MAIL }));
    expect(await domains.enterDomainCode(alice, id, "123456")).toMatchObject({ code: "CODE_INVALID" });
    expect(await domains.checkDomain(alice, id)).toMatchObject({ code: "INVALID_INPUT" });
    accepted(await domains.sendDomainCode(alice, id));
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: "hostmaster@example.org", template: "domain_code", language: "de" });
    expect(JSON.stringify(mail)).not.toContain("123456");
    const tries = await Promise.all(Array.from({ length: 9 }, () => domains.enterDomainCode(alice, id, "000000")));
    expect(tries.every(({ ok }) => !ok)).toBe(true);
    expect(await domains.enterDomainCode(alice, id, "123456")).toMatchObject({ code: "CODE_INVALID" });
    accepted(await domains.sendDomainCode(alice, id));
    expect(await domains.enterDomainCode(alice, id, "123456")).toMatchObject({ value: { state: "proven" } });
    expect(await domains.enterDomainCode(alice, id, "123456")).toMatchObject({ code: "CODE_INVALID" });
  });

  test("respects the mailbox's limit of mails from strangers", async () => {
    const { domains } = domainWorld();
    const { id } = accepted(await domains.addDomain(alice, { name: "example.org", ...MAIL }));
    for (let mail = 0; mail < 3; mail++) accepted(await domains.sendDomainCode(alice, id));
    expect(await domains.sendDomainCode(alice, id)).toMatchObject({
      code: "MAILBOX_LIMITED",
      retryAfter: expect.any(Number),
    });
  });

  test("is asked for again every month, and the claim ends without it", async () => {
    const { domains, clock, mails } = domainWorld();
    const { id } = accepted(await domains.addDomain(alice, { name: "example.org", ...MAIL }));
    accepted(await domains.sendDomainCode(alice, id));
    accepted(await domains.enterDomainCode(alice, id, "123456"));
    await mails();
    clock.pass(30 * DAY);
    await domains.lookForProofs();
    expect((await mails()).map(({ template }) => template)).toEqual(["domain_code", "domain_proof_missing"]);
    expect(await domains.showDomain(alice, id)).toMatchObject({ value: { state: "failing", codeSent: true } });
    expect(await domains.enterDomainCode(alice, id, "123456")).toMatchObject({ value: { state: "proven" } });
    clock.pass(30 * DAY);
    await domains.lookForProofs();
    clock.pass(7 * DAY);
    await domains.lookForProofs();
    expect(await domains.showDomain(alice, id)).toMatchObject({ value: { state: "ended" } });
  });
});

test("a claim of an account that is gone stays harmless", async () => {
  const { domains } = domainWorld();
  expect(await domains.addDomain(CHARLIE.accountId, { name: "example.org", ...PROOF })).toMatchObject({
    code: "NOT_FOUND",
  });
});
