import { describe, expect, test } from "bun:test";
import { personToken } from "../../src/domains/mails.ts";
import { ALICE, accepted, BOB, CHARLIE } from "../support/builders.ts";
import { DAY, domainWorld, found, keys } from "./domain_world.ts";

const alice = ALICE.accountId;
const DOMAIN = "example.net";
const toldAt = new Date("2026-11-20T12:00:00.000Z");
const TOKEN = personToken(keys.mac, { domain: DOMAIN, alias: "bob", toldAt });

/** Alice administers example.net, at which Bob has an account, and Eve none. */
async function world() {
  const opened = domainWorld();
  const id = await opened.hold(alice, DOMAIN);
  opened.answers.breaches = found({ bob: ["Adobe", "Dating"], eve: ["Adobe"], info: ["Adobe", "Dating"] });
  await opened.domains.askSources();
  await opened.mails();
  const listed = async () => {
    const asked = { kind: undefined, breach: undefined, search: "", after: undefined };
    const { items } = accepted(await opened.domains.listDomainAddresses(alice, id, asked));
    return items.map(({ alias, findings }) => [alias, findings]);
  };
  const settings = {
    catchAll: false,
    roleSensitive: false,
    digest: "daily",
    tellPeople: false,
    language: "fr",
  } as const;
  return { ...opened, id, listed, settings };
}

describe("tellPeople()", () => {
  test("tells each person once who administers the domain, in their language; then their findings are shown", async () => {
    const { domains, mails, listed, id, settings } = await world();
    accepted(await domains.changeDomain(alice, id, settings));
    expect(await listed()).toEqual([["info", 1]]);
    expect(accepted(await domains.showOverview(alice, id)).counts).toMatchObject({ untold: 2, person: 0 });
    expect(await domains.tellPeople()).toBe(2);
    const told = await mails();
    expect(told.map(({ to, template, language }) => [to, template, language])).toEqual([
      ["bob@example.net", "domain_notice", "de"],
      ["eve@example.net", "domain_notice", "fr"],
    ]);
    expect(told[0]?.params).toMatchObject({ domain: DOMAIN, name: "Alice Example", account: "a…@example.com" });
    expect(await listed()).toEqual([
      ["bob", 1],
      ["eve", 1],
      ["info", 1],
    ]);
    expect(await domains.tellPeople()).toBe(0);
  });

  test("tells at most 200 people of a domain in a day", async () => {
    const { domains, answers, source, clock } = await world();
    answers.breaches = found(Object.fromEntries(Array.from({ length: 230 }, (_, index) => [`p${index}`, ["Adobe"]])));
    source.generation += 1;
    clock.pass(DAY);
    await domains.askSources();
    let told = 0;
    for (let run = 0; run < 30; run++) told += await domains.tellPeople();
    expect(told).toBe(200);
    clock.pass(DAY);
    for (let run = 0; run < 30; run++) told += await domains.tellPeople();
    expect(told).toBe(232);
  });

  test("leaves aliases of a catch-all in peace, and tells those who are named as people", async () => {
    const { domains, mails, listed, id, settings } = await world();
    const mark = (alias: string, kind: "person" | "alias") => domains.markDomainAddress(alice, id, { alias, kind });
    expect(await mark("eve", "alias")).toMatchObject({ code: "NOT_FOUND" });
    accepted(await domains.changeDomain(alice, id, { ...settings, catchAll: true }));
    expect(await domains.tellPeople()).toBe(0);
    expect(await listed()).toEqual([
      ["bob", 1],
      ["eve", 1],
      ["info", 1],
    ]);
    accepted(await mark("bob", "person"));
    expect(await mark("info", "alias")).toMatchObject({ code: "NOT_FOUND" });
    expect(await listed()).toEqual([
      ["eve", 1],
      ["info", 1],
    ]);
    await domains.tellPeople();
    expect((await mails()).map(({ to }) => to)).toEqual(["bob@example.net"]);
  });

  test("tells of new findings where the administrator wants it", async () => {
    const { domains, mails, id, settings, answers, source, clock } = await world();
    await domains.tellPeople();
    answers.breaches = found({ bob: ["Adobe", "Canva"] });
    source.generation += 1;
    clock.pass(DAY);
    await domains.askSources();
    await mails();
    expect(await domains.tellPeople()).toBe(0);
    accepted(await domains.changeDomain(alice, id, { ...settings, tellPeople: true }));
    expect(await domains.tellPeople()).toBe(1);
    expect(await mails()).toMatchObject([{ to: "bob@example.net", template: "domain_news" }]);
    expect(await domains.tellPeople()).toBe(0);
  });
});

describe("a link to a person", () => {
  test("shows all findings, who administers the domain, and each look", async () => {
    const { domains, id, listed, clock } = await world();
    await domains.tellPeople();
    await listed();
    clock.pass(DAY);
    accepted(await domains.showDomainAddress(alice, id, "bob"));
    accepted(await domains.showDomainAddress(alice, id, "eve"));
    const view = accepted(await domains.inspectDomainLink(TOKEN));
    expect(view).toMatchObject({ address: "bob@example.net", say: "standard", taken: false });
    expect(view.administrators).toEqual([{ name: "Alice Example", email: "a…@example.com" }]);
    expect(view.breaches.map(({ name }) => name).toSorted()).toEqual(["Adobe", "Dating"]);
    expect(view.looks.map(({ what, by }) => [what, by?.name])).toEqual([
      ["address", "Alice Example"],
      ["list", "Alice Example"],
    ]);
  });

  test.each([
    ["standard", 1, 1],
    ["all", 2, 2],
    ["nothing", undefined, 0],
  ] as const)("that says %s is obeyed at once", async (say, listedCount, detailCount) => {
    const { domains, id, listed } = await world();
    await domains.tellPeople();
    accepted(await domains.answerDomainLink(TOKEN, { say }));
    expect(new Map((await listed()) as [string, number][]).get("bob")).toBe(listedCount);
    const detail = await domains.showDomainAddress(alice, id, "bob");
    expect(detail.ok ? detail.value.breaches.length : 0).toBe(detailCount);
    expect(accepted(await domains.inspectDomainLink(TOKEN))).toMatchObject({ say, taken: true });
    // An address that was taken over cannot be marked by the administrator any more.
    expect(await domains.markDomainAddress(alice, id, { alias: "bob", kind: "person" })).toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("is invalid with another seal, for an unknown address, and once nobody holds the domain", async () => {
    const { domains, id } = await world();
    const others = [
      "",
      "v1",
      "v1.zz.zz",
      `${TOKEN}x`,
      personToken(keys.mac, { domain: DOMAIN, alias: "nobody", toldAt }),
      TOKEN.replace("v1.", "v1.00"),
    ];
    for (const token of others) {
      expect(await domains.inspectDomainLink(token)).toMatchObject({ code: "LINK_INVALID" });
      expect(await domains.answerDomainLink(token, { say: "all" })).toMatchObject({ code: "LINK_INVALID" });
    }
    await domains.tellPeople();
    expect(await domains.inspectDomainLink(TOKEN)).toMatchObject({ ok: true });
    await domains.removeDomain(alice, id);
    expect(await domains.inspectDomainLink(TOKEN)).toMatchObject({ code: "LINK_INVALID" });
  });
});

describe("the account's own address", () => {
  test("has the same say, once it is verified", async () => {
    const { domains, accounts, listed } = await world();
    const bob = accounts.get(BOB.accountId);
    await domains.tellPeople();
    expect(accepted(await domains.showOwnDomain(BOB.accountId)).view).toMatchObject({
      address: BOB.address,
      say: "standard",
    });
    accepted(await domains.answerOwnDomain(BOB.accountId, { say: "nothing" }));
    expect((await listed()).map(([alias]) => alias)).toEqual(["eve", "info"]);
    if (bob) accounts.set(BOB.accountId, { ...bob, verified: false });
    expect(accepted(await domains.showOwnDomain(BOB.accountId)).view).toBeNull();
    expect(await domains.answerOwnDomain(BOB.accountId, { say: "all" })).toMatchObject({ code: "NOT_FOUND" });
    expect(accepted(await domains.showOwnDomain(alice)).view).toBeNull();
    expect(await domains.answerOwnDomain(CHARLIE.accountId, { say: "all" })).toMatchObject({ code: "NOT_FOUND" });
  });

  test("is in the account's export, with its looks", async () => {
    const { domains, listed } = await world();
    await domains.tellPeople();
    await listed();
    const { ownAddress } = await domains.recordsOf(BOB.accountId);
    expect(ownAddress).toMatchObject({ say: "standard", findings: [{ name: "Adobe" }, { name: "Dating" }] });
    expect(ownAddress?.looks).toHaveLength(1);
    const mine = await domains.recordsOf(alice);
    expect(mine).toMatchObject({ domains: [{ name: DOMAIN, state: "proven" }], looks: [{ what: "list" }] });
    expect(JSON.stringify(mine)).not.toContain("codeHash");
  });
});
