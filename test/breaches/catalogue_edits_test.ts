import { describe, expect, test } from "bun:test";
import type { Breach } from "../../src/breaches/catalogue/breach.ts";
import { adobe } from "../support/breaches.ts";
import { ALICE } from "../support/builders.ts";
import { shop, shopWorld } from "../support/shop.ts";

type Edit = Partial<Breach>;
/** Whether all addresses are checked again, owners are notified of an escalation, and handled alerts are reopened. */
const NOTHING = { due: false, told: false, reopened: false };
const CHECKED = { due: true, told: false, reopened: false };
const WORSE = { due: true, told: true, reopened: true };

const MAIL = "Email addresses";
const classes = (...more: string[]): Edit => ({ dataClasses: [MAIL, ...more] });
const flags = (...set: Breach["flags"]): Edit => ({ ...classes("Passwords"), flags: set });
const passwords = classes("Passwords");
const moved = { modifiedDate: "2026-11-01T00:00:00Z" };

/** What differs between HIBP's catalogues of 2025-11-14 and 2026-07-20, beside 97 new entries. */
const REAL: [string, Edit, Edit, typeof NOTHING][] = [
  ["CDEK: the description alone", {}, { description: "Corrected." }, NOTHING],
  ["Adpost: the description, with the modification date", {}, { ...moved, description: "Corrected." }, NOTHING],
  [
    "Chess: more accounts",
    { pwnCount: 827_620 },
    { ...moved, pwnCount: 1_274_077, description: "Corrected." },
    CHECKED,
  ],
  [
    "OperationEndgame3: the day it happened",
    { breachDate: "2025-11-14" },
    { ...moved, breachDate: "2025-11-13" },
    NOTHING,
  ],
];

const MADE: [string, Edit, Edit, typeof NOTHING][] = [
  ["fewer accounts, as after a replacement of the data", { pwnCount: 9 }, { pwnCount: 8 }, CHECKED],
  ["a modification that nothing explains", {}, moved, CHECKED],
  ["added again, later", {}, { addedDate: "2026-06-01T00:00:00Z" }, CHECKED],
  ["another title", {}, { title: "The Shop" }, NOTHING],
  ["another domain", {}, { domain: "shop.test" }, NOTHING],
  ["another logo", {}, { logoPath: "https://logos.example/List.png" }, NOTHING],
  ["an attribution and a disclosure", {}, { attribution: "A friend", disclosureUrl: "https://x.example" }, NOTHING],
  ["no longer retired", { flags: ["retired"] }, { flags: [] }, CHECKED],
  ["retired", { flags: [] }, { flags: ["retired"] }, NOTHING],
  ["sensitive", { flags: [] }, { flags: ["sensitive"] }, CHECKED],
  ["no longer sensitive", { flags: ["sensitive"] }, { flags: [] }, CHECKED],
  ["free of subscription", { flags: [] }, { flags: ["subscriptionFree"] }, NOTHING],
  ["passwords in doubt that are confirmed", flags("unverified"), flags(), WORSE],
  ["passwords that turn out to be doubtful", flags(), flags("unverified"), NOTHING],
  ["no longer fabricated, but still unverified", flags("fabricated", "unverified"), flags("unverified"), CHECKED],
  ["a stealer log", flags(), flags("stealerLog"), { ...WORSE, due: false }],
  ["malware that is called a stealer log", flags("malware"), flags("stealerLog"), NOTHING],
  ["passwords as well", classes(), passwords, WORSE],
  ["everyday data as well", classes(), classes("Genders"), CHECKED],
  ["cards beside passwords", passwords, classes("Passwords", "Credit cards"), WORSE],
  ["a kind that nobody knows yet", classes(), classes("Brain scans"), WORSE],
  ["passwords withdrawn", passwords, classes(), NOTHING],
  ["kinds in another spelling and order", passwords, { dataClasses: ["passwords", MAIL, MAIL] }, NOTHING],
  ["parts of cards in place of cards", classes("Credit cards"), classes("Partial credit card data"), CHECKED],
  ["cards in place of parts of cards", classes("Partial credit card data"), classes("Credit cards"), WORSE],
  ["another name for licences", classes("Driver's licenses"), classes("Government issued IDs"), CHECKED],
  ["messages in place of passwords", passwords, classes("Private messages"), CHECKED],
  ["passwords in place of messages", classes("Private messages"), passwords, CHECKED],
];

describe("An edit of a known entry", () => {
  test.each([...REAL, ...MADE])("%s", async (_, before, after, expected) => {
    const dated = { ...shop, breachDate: "2026-01-01" };
    const world = await shopWorld({ ...dated, ...before });
    await world.handle(ALICE.accountId);
    await world.published();
    const { generation } = await world.stateOf();
    expect(await world.becomes({ ...dated, ...before, ...after })).toMatchObject({ changed: ["Shop"] });
    await world.breaches.tellChanges();
    const told = (await world.told()).length > 0;
    const reopened = (await world.alertOf(world.alice)).state === "pending";
    const due = (await world.stateOf()).generation > generation;
    expect({ due, told, reopened }).toEqual(expected);
    const { checked } = await world.breaches.scanDue();
    expect(checked).toBe(due ? 2 : 0);
  });

  test("raises an alert for an address among the accounts that it grew by", async () => {
    const world = await shopWorld();
    world.feed.expose(ALICE.address, "Adobe");
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
    await world.becomes({ ...adobe, pwnCount: adobe.pwnCount + 446_457 });
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 2, raised: 1 });
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Shop pending"]);
  });
});
