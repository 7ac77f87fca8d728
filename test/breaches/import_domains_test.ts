import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressHashes } from "../../src/breaches/adapters/sources/dataset/address_hashes.ts";
import { importFiles, requestPath, writeWhole } from "../../src/breaches/adapters/sources/dataset/import_files.ts";
import type { DomainFind, DomainFinds, ImportRequest } from "../../src/breaches/datasets/dataset_ports.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { adobe, breachWorld } from "../support/breaches.ts";
import { MINUTE } from "../support/clock.ts";

const root = mkdtempSync(join(tmpdir(), "breachbell-import-domains-"));
const directory = join(root, "imports");
const file = join(root, "people.csv");
const desk = importFiles(directory);

afterAll(() => rmSync(root, { recursive: true }));
beforeEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await desk.list();
});

async function ask(content: string, more: Partial<ImportRequest> = {}): Promise<void> {
  writeFileSync(file, content);
  const { size, mtimeMs: modifiedAt } = statSync(file);
  const request = { id: "a".repeat(32), file, size, modifiedAt, skipBad: false, breach: "Shop", facts: {}, ...more };
  await writeWhole(requestPath(directory, request.id), request);
}

/** Watches these domains, and keeps what it is given as a set, in batches. */
function domainFinds(...domains: string[]) {
  const watched = new Set(domains);
  const batches: DomainFind[][] = [];
  let troubles = 0;
  const finds: DomainFinds = {
    watched: async () => new Set(watched),
    async add(found) {
      if (troubles-- > 0) throw new Error("The database is away");
      batches.push(found);
    },
  };
  return {
    finds,
    watched,
    batches,
    failNext: (times: number) => {
      troubles = times;
    },
    given: () =>
      [
        ...new Set(batches.flat().map(({ alias, domain, breachName }) => `${alias}@${domain} ${breachName}`)),
      ].toSorted(),
  };
}

function world(domains: ReturnType<typeof domainFinds>, transaction?: Transaction<BreachStore>) {
  const plain = breachWorld({ breaches: [adobe] });
  const deps = { ...plain.deps, imports: desk, domainFinds: domains.finds };
  const breaches = createBreaches({ ...deps, ...(transaction && { transaction }) });
  return { ...plain, deps, breaches };
}

/** 3,500 addresses, every seventh of which is at a watched domain. */
const people = Array.from({ length: 3500 }, (_, number) =>
  number % 7 === 0 ? `Person${number}@Holder.Example` : `person${number}@example.org`,
);
const AT_HOLDER = people.flatMap((_, number) =>
  number % 7 === 0 ? [`person${number}@holder.example dataset:Shop`] : [],
);

describe("importDue() with watched domains", () => {
  test("passes on the addresses in clear at them, normalised, in batches, and no others", async () => {
    const domains = domainFinds("holder.example", "xn--mnchen-3ya.example");
    const { breaches } = world(domains);
    await ask([...people, "grete@münchen.example", "a@sub.holder.example", "b@older.example"].join("\n"));
    await breaches.importDue();
    expect(domains.given()).toEqual([...AT_HOLDER, "grete@xn--mnchen-3ya.example dataset:Shop"].toSorted());
    expect(domains.batches.length).toBeLessThan(10);
    for (const batch of domains.batches) expect(batch.length).toBeLessThanOrEqual(500);
  });

  test("never passes on a hash, nor anything else of a line", async () => {
    const domains = domainFinds("holder.example");
    const { breaches } = world(domains);
    await breaches.syncCatalogue();
    const { sha1, sha256 } = addressHashes("hashed@holder.example");
    const lines = [`1,ada@holder.example,hunter2,Adobe`, `2,${sha1},hunter2,`, `3,${sha256},hunter2,`];
    await ask(["id,email,password,breach", ...lines].join("\n"));
    await breaches.importDue();
    expect(domains.batches).toEqual([[{ domain: "holder.example", alias: "ada", breachName: "Adobe" }]]);
    await ask(`${JSON.stringify({ email: "eve@holder.example", password: "hunter2", phone: "1" })}\n`, {
      id: "b".repeat(32),
    });
    await breaches.importDue();
    expect(domains.batches.slice(1)).toEqual([
      [{ domain: "holder.example", alias: "eve", breachName: "dataset:Shop" }],
    ]);
  });

  test("does not ask for watched domains in a file of hashes, nor without a use for them", async () => {
    let asked = 0;
    const domains = domainFinds("holder.example");
    const watched = async () => {
      asked += 1;
      return domains.watched;
    };
    const { deps } = world(domains);
    const counting = createBreaches({ ...deps, domainFinds: { ...domains.finds, watched } });
    await ask(people.map((address) => addressHashes(address.toLowerCase()).sha1).join("\n"));
    await counting.importDue();
    expect([asked, domains.batches]).toEqual([0, []]);
    await ask(`${people.slice(0, 900).join("\n")}\n`, { id: "b".repeat(32) });
    await counting.importDue();
    expect(asked).toBe(1);
    await ask(people.join("\n"), { id: "c".repeat(32), breach: "Other" });
    await createBreaches({ ...deps, domainFinds: undefined }).importDue();
    expect(domains.given().some((found) => found.includes("Other"))).toBe(false);
  });

  test("finds domains that are watched while the file is read, from its next piece on", async () => {
    const domains = domainFinds();
    const { deps } = world(domains);
    const slow: typeof desk = {
      ...desk,
      async *pieces(request) {
        yield Buffer.from("one@holder.example\n");
        domains.watched.add("holder.example");
        yield Buffer.from("two@holder.example\n");
        yield* desk.pieces(request);
      },
    };
    await ask("three@holder.example");
    await createBreaches({ ...deps, imports: slow }).importDue();
    expect(domains.given()).toEqual(["three@holder.example dataset:Shop", "two@holder.example dataset:Shop"]);
  });

  test("passes everything on before the part is counted, so that a failure repeats it", async () => {
    const domains = domainFinds("holder.example");
    const { breaches, clock } = world(domains);
    domains.failNext(1);
    await ask(people.join("\n"));
    await breaches.importDue();
    const before = domains.given().length;
    clock.pass(5 * MINUTE);
    await breaches.importDue();
    expect(before).toBeLessThan(AT_HOLDER.length);
    expect(domains.given()).toEqual(AT_HOLDER.toSorted());
  });
});

describe("importDue() interrupted midway", () => {
  function dyingAfter(n: number, plain: Transaction<BreachStore>): Transaction<BreachStore> {
    let count = 0;
    return async (work) => {
      count += 1;
      if (count > n) throw new Error("Killed");
      return plain(work);
    };
  }

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("after transaction %d: passes on everything, and nothing else", async (n) => {
    const domains = domainFinds("holder.example");
    const { breaches, deps, clock, transaction } = world(domains);
    await ask(people.join("\n"));
    await createBreaches({ ...deps, transaction: dyingAfter(n, transaction) }).importDue();
    clock.pass(5 * MINUTE);
    await breaches.importDue();
    expect(domains.given()).toEqual(AT_HOLDER.toSorted());
  });

  test("a resumed import begins after the parts that are counted", async () => {
    const domains = domainFinds("holder.example");
    const { breaches } = world(domains);
    await ask(people.join("\n"));
    let asked = 0;
    await breaches.importDue(() => asked++ > 0);
    const first = new Set(domains.given());
    domains.batches.length = 0;
    await breaches.importDue();
    expect(first.size).toBeGreaterThan(0);
    expect(domains.given().filter((found) => first.has(found))).toEqual([]);
    expect(new Set([...first, ...domains.given()])).toEqual(new Set(AT_HOLDER));
  });
});
