import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { aBreach } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("ServicePageRepository on %s", (_, open) => {
  /** Adobe twice in different spelling, Canva, one without a domain. */
  async function opened() {
    const { transaction } = await open();
    await transaction(({ breaches }) => {
      const list = ["adobe.com", "Adobe.com", "canva.com", ""].map((domain, place) =>
        aBreach({ name: `B${place}`, domain }),
      );
      return breaches.put(
        "hibp",
        list.map((breach) => ({ breach, hash: breach.name })),
        at(0),
      );
    });
    const claim = (minute: number, limit = 10) =>
      transaction(({ servicePages }) => servicePages.claimDue(limit, at(minute), at(minute + 10)));
    return { transaction, claim };
  }

  test("claimDue() returns each domain once, in order, until the lease ends", async () => {
    const { claim } = await opened();
    expect(await claim(0, 1)).toEqual([{ domain: "adobe.com", failures: 0 }]);
    expect(await claim(0)).toEqual([{ domain: "canva.com", failures: 0 }]);
    expect(await claim(9)).toEqual([]);
    expect(await claim(10)).toHaveLength(2);
  });

  test("claimDue() gives each domain to one of ten concurrent callers", async () => {
    const { claim } = await opened();
    const claimed = (await Promise.all(Array.from({ length: 10 }, () => claim(0)))).flat();
    expect(claimed.map(({ domain }) => domain).toSorted()).toEqual(["adobe.com", "canva.com"]);
  });

  test("claimDue() leaves out domains of withdrawn breaches", async () => {
    const { transaction, claim } = await opened();
    await transaction(({ breaches }) => breaches.markRemoved("hibp", ["B2"], at(0)));
    expect(await claim(0)).toEqual([{ domain: "adobe.com", failures: 0 }]);
  });

  test("has() is what was kept last; a postponement keeps it and counts failures", async () => {
    const { transaction, claim } = await opened();
    const has = () => transaction(({ servicePages }) => servicePages.has("adobe.com"));
    expect(await has()).toBe(false);
    await claim(0);
    await transaction(({ servicePages }) => servicePages.keep("adobe.com", true, at(20)));
    expect(await has()).toBe(true);
    expect(await claim(19)).toEqual([{ domain: "canva.com", failures: 0 }]);
    await transaction(({ servicePages }) => servicePages.postpone("adobe.com", at(30), 1));
    expect(await has()).toBe(true);
    expect(await claim(30)).toContainEqual({ domain: "adobe.com", failures: 1 });
    await transaction(({ servicePages }) => servicePages.keep("adobe.com", false, at(40)));
    expect(await has()).toBe(false);
    expect(await claim(40)).toContainEqual({ domain: "adobe.com", failures: 0 });
  });
});
