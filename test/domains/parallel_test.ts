import { describe, expect, test } from "bun:test";
import { postgresDomains } from "../../src/domains/adapters/postgres/store.ts";
import { personToken } from "../../src/domains/mails.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { emptyServer, neighbourOnServer } from "../support/postgres.ts";
import { DAY, domainWorld, found, HOUR, keys } from "./domain_world.ts";

const [alice, bob] = [ALICE.accountId, BOB.accountId];
const none = { claim: async () => [] } as never;

/** Two processes on one server. */
async function twoProcesses() {
  const databases = [await emptyServer(), await neighbourOnServer()];
  const [one, other] = databases.map((database) =>
    domainWorld({ transaction: database.transactionOf(postgresDomains), outbox: none }),
  );
  if (!one || !other) throw new Error("unreachable");
  return [one, other] as const;
}

describe("two processes on one Postgres", () => {
  test("never add more domains than the plan allows", async () => {
    const worlds = await twoProcesses();
    for (const { allowances } of worlds) allowances.set(alice, { active: true, domains: 2, addresses: 50 });
    const added = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        worlds[index % 2 === 0 ? 0 : 1].domains.addDomain(alice, { name: `d${index}.example`, proof: "dns" }),
      ),
    );
    expect(added.filter(({ ok }) => ok)).toHaveLength(2);
    expect(accepted(await worlds[0].domains.listDomains(alice)).items).toHaveLength(2);
  });

  test("let only one of two accounts be the first to prove a domain", async () => {
    const [one, other] = await twoProcesses();
    const ids = await Promise.all(
      [alice, bob].map(async (accountId, index) => {
        const proof = index === 0 ? "dns" : "file";
        const { id } = accepted(await one.domains.addDomain(accountId, { name: "example.org", proof }));
        const { record } = accepted(await one.domains.showDomain(accountId, id));
        for (const { proofs } of [one, other]) proofs.published.set(`${proof} example.org`, record?.value ?? "");
        return id;
      }),
    );
    const answers = await Promise.all([
      one.domains.checkDomain(alice, ids[0] ?? ""),
      other.domains.checkDomain(bob, ids[1] ?? ""),
    ]);
    expect(answers.map((answer) => accepted(answer).state).toSorted()).toEqual(["proven", "waiting"]);
  });

  test("look for each proof once", async () => {
    const worlds = await twoProcesses();
    const [one, other] = worlds;
    const names = Array.from({ length: 20 }, (_, index) => `d${index}.example`);
    for (const name of names) await one.hold(alice, name);
    const before = one.proofs.looks.length;
    for (const { clock } of worlds) clock.pass(30 * DAY);
    const counts = await Promise.all(worlds.map(({ domains }) => domains.lookForProofs()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(names.length);
    const looks = [...one.proofs.looks.slice(before), ...other.proofs.looks];
    expect(looks.toSorted()).toEqual(names.map((name) => `dns ${name}` as const).toSorted());
  });

  test("count each of several wrong codes", async () => {
    const worlds = await twoProcesses();
    const { domains } = worlds[0];
    const { id } = accepted(
      await domains.addDomain(alice, { name: "example.org", proof: "mail", mailbox: "security" }),
    );
    accepted(await domains.sendDomainCode(alice, id));
    for (let round = 0; round < 3; round++)
      await Promise.all(worlds.map((world) => world.domains.enterDomainCode(alice, id, "000000")));
    const tries = await Promise.all(
      Array.from({ length: 6 }, async () => domains.enterDomainCode(alice, id, "000000")),
    );
    expect(tries.every(({ ok }) => !ok)).toBe(true);
    expect(await domains.enterDomainCode(alice, id, "123456")).toMatchObject({ code: "CODE_INVALID" });
  });

  test("take the answers of many people at the same time", async () => {
    const [one] = await twoProcesses();
    await one.hold(alice);
    const names = Array.from({ length: 10 }, (_, index) => `p${index}`);
    one.answers.breaches = found(Object.fromEntries(names.map((name) => [name, ["Adobe", "Canva"]])));
    await one.domains.askSources();
    await one.domains.tellPeople();
    const toldAt = one.clock.now();
    const answers = await Promise.all(
      names.map((alias) => {
        const token = personToken(keys.mac, { domain: "example.org", alias, toldAt });
        return one.domains.answerDomainLink(token, { say: "all" });
      }),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });

  test("store the settings of two holders that change at the same time", async () => {
    const [one, other] = await twoProcesses();
    const first = await one.hold(alice);
    const second = await one.hold(bob, "example.org", "file");
    one.clock.pass(73 * HOUR);
    await one.domains.lookForProofs();
    one.answers.breaches = found({ ada: ["Adobe"] });
    await one.domains.askSources();
    const rest = { roleSensitive: false, digest: "daily", tellPeople: false, language: "en" } as const;
    for (let round = 0; round < 10; round++) {
      const settings = { ...rest, catchAll: round % 2 === 0 };
      const changed = await Promise.all([
        one.domains.changeDomain(alice, first, settings),
        other.domains.changeDomain(bob, second, settings),
      ]);
      expect(changed.every(({ ok }) => ok)).toBe(true);
    }
  });
});
