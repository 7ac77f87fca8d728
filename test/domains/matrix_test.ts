import { describe, expect, test } from "bun:test";
import type { MailboxKind, Say } from "../../src/domains/finding.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { domainWorld, found } from "./domain_world.ts";

const alice = ALICE.accountId;
const ANY = { kind: undefined, breach: undefined, search: "", after: undefined };

/** What the administrator sees of one address. */
type Seen = "nothing" | "plain" | "everything";
type Cell = { kind: MailboxKind; told: boolean; say: Say; roleSensitive: boolean };

/** What the administrator may see, from the words of the decision. */
function expectedOf({ kind, told, say, roleSensitive }: Cell): Seen {
  if (say === "nothing") return "nothing";
  if (kind === "person" && !told) return "nothing";
  if (say === "all") return "everything";
  return kind === "role" && roleSensitive ? "everything" : "plain";
}

const CELLS: Cell[] = (["person", "role", "alias"] as const).flatMap((kind) =>
  (["standard", "all", "nothing"] as const).flatMap((say) =>
    [true, false].flatMap((told) => [true, false].map((roleSensitive) => ({ kind, told, say, roleSensitive }))),
  ),
);

describe("administrator × person × sensitivity", () => {
  test.each(CELLS)("%o", async (cell) => {
    const { kind, told, say, roleSensitive } = cell;
    const { domains, answers, hold, transaction, clock } = domainWorld();
    const id = await hold(alice);
    const settings = { roleSensitive, digest: "off", tellPeople: false, language: "en" } as const;
    accepted(await domains.changeDomain(alice, id, { ...settings, catchAll: kind === "alias" }));
    const alias = kind === "role" ? "info" : "ada";
    answers.breaches = found({ [alias]: ["Adobe", "Dating"] });
    answers.sites = found({ [alias]: ["shop.example"] });
    await domains.askSources();
    await transaction(async ({ findings }) => {
      if (told) await findings.markTold("example.org", alias, { at: clock.now(), language: "en" });
      await findings.setSay("example.org", alias, say, say === "standard" ? undefined : clock.now());
    });

    const expected = expectedOf(cell);
    const detail = await domains.showDomainAddress(alice, id, alias);
    const names = detail.ok ? [...detail.value.breaches.map(({ name }) => name), ...detail.value.sites].toSorted() : [];
    const shown: string[] = { nothing: [], plain: ["Adobe"], everything: ["Adobe", "Dating", "shop.example"] }[
      expected
    ];
    expect(names).toEqual(shown);
    expect(detail.ok).toBe(expected !== "nothing");
    // Every other way of looking agrees.
    const { items } = accepted(await domains.listDomainAddresses(alice, id, ANY));
    expect(items.map(({ findings }) => findings)).toEqual(expected === "nothing" ? [] : [shown.length]);
    const overview = accepted(await domains.showOverview(alice, id));
    expect(overview.breaches.map(({ name }) => name).toSorted()).toEqual(
      shown.filter((name) => name !== "shop.example"),
    );
    expect(overview.counts[kind]).toBe(items.length);
    const file = accepted(await domains.exportDomain(alice, id, { filter: ANY, language: "en" }));
    const text = (await Array.fromAsync(file.chunks)).join("");
    for (const name of ["Adobe", "Dating", "shop.example"]) expect(text.includes(name)).toBe(shown.includes(name));
    clock.pass(1000);
    const inBreach = await domains.listDomainAddresses(alice, id, { ...ANY, breach: "Dating" });
    expect(accepted(inBreach).items.length).toBe(shown.includes("Dating") ? 1 : 0);
    // Nobody else sees anything.
    expect(await domains.showDomainAddress(BOB.accountId, id, alias)).toMatchObject({ code: "NOT_FOUND" });
  });
});
