import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Alert } from "../../web/api/api.ts";
import { openSite, settled } from "./browser.ts";
import { alerts } from "./fake_alerts.ts";
import { longStory, managed, monitoring, undisclosed } from "./fake_consent.ts";
import { openFolds } from "./folds.ts";

const SCREEN = "/en/screen-track/alice.archer%40example.com";
const THIS_YEAR = new Date().getUTCFullYear();

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** One real breach, and one of a fire drill. */
function withDrill() {
  const [real, other] = monitoring().findings;
  if (!real || !other?.breach) throw new Error("No findings");
  return monitoring({ findings: [real, { ...other, breach: { ...other.breach, flags: ["drill"] } }] });
}

/** On the page of an address the figures are collapsed below their heading. */
const plot = (page: Page, title: string) =>
  page
    .locator("figure, details")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) })
    .last();

/** A chart's text alternative, row by row. */
async function rows(page: Page, title: string): Promise<string[][]> {
  const found = await plot(page, title).locator("dl > div").all();
  return Promise.all(found.map((row) => row.locator("dt, dd").allTextContents()));
}

/** The total length of a row's bars, relative to their track. */
function shares(page: Page, title: string): Promise<number[]> {
  return plot(page, title)
    .locator("dd > [aria-hidden]")
    .evaluateAll((tracks) =>
      tracks.map((track) => {
        const width = [...track.children].reduce((sum, bar) => sum + bar.getBoundingClientRect().width, 0);
        return Math.round((100 * width) / track.getBoundingClientRect().width);
      }),
    );
}

test("the page of an address shows in how many breaches each data category was stolen, most sensitive first", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit(SCREEN);
  await settled(page);
  await page.locator("summary", { hasText: "Stolen data by kind" }).click();
  expect(await rows(page, "Stolen data by kind")).toEqual([
    ...[
      ["Login details", "4 of 6"],
      ["Money", "1 of 6"],
      ["Contact details", "6 of 6"],
      ["Person", "1 of 6"],
    ],
    ...[
      ["Devices and online traces", "1 of 6"],
      ["Purchases and contributions", "1 of 6"],
    ],
  ]);
  expect(await shares(page, "Stolen data by kind")).toEqual([67, 17, 100, 17, 17, 17]);
  await leave();
}, 30_000);

test("the dashboard shows in which years they happened, with pending ones; quiet years share a row, and early ones are collapsed", async () => {
  const [first] = alerts() as [Alert, ...Alert[]];
  const { findings } = longStory();
  opened.site.set({
    alerts: findings.map(({ breach, state }, place) => ({
      ...first,
      id: `y${place}`,
      breach,
      state: state ?? "pending",
    })),
  });
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  await page.locator("summary").filter({ hasText: "What was stolen, and when" }).click();
  const latest = [
    [`2025–${THIS_YEAR}`, "none known"],
    ["2024", "1 breach, pending"],
    ["2023", "1 breach, pending"],
    ["2022", "none known"],
    ["2021", "2 breaches, 2 pending"],
    ["2020", "none known"],
  ];
  expect(await rows(page, "Breaches by year")).toEqual(latest);
  expect(await shares(page, "Breaches by year")).toEqual([0, 50, 50, 0, 100, 0]);
  const more = page.getByRole("button", { name: "Show earlier years" });
  await more.press("Enter");
  const all = await rows(page, "Breaches by year");
  expect(all.slice(0, 6)).toEqual(latest);
  expect(all).toContainEqual(["2019", "1 breach, handled"]);
  expect(all.at(-1)).toEqual(["2008", "1 breach, pending"]);
  await leave();
}, 30_000);

test("an address's years are shown only in its timeline", async () => {
  opened.site.set({ monitoring: longStory() });
  const { page, leave } = await opened.visit(SCREEN);
  await settled(page);
  await openFolds(page.locator("main"));
  expect(await page.getByRole("heading", { name: "Breaches by year" }).count()).toBe(0);
  expect(await page.getByRole("heading", { name: "Timeline" }).count()).toBe(1);
  await leave();
}, 30_000);

test("what another account manages is shown as neither pending nor handled", async () => {
  opened.site.set({ monitoring: managed() });
  const { page, leave } = await opened.visit(SCREEN);
  await page.getByRole("heading", { name: "6 breaches", exact: true }).waitFor();
  expect(await page.locator("main").textContent()).not.toMatch(/to handle|handled/i);
  await leave();
}, 30_000);

test.each([
  ["without details", undisclosed()],
  ["of a single breach", monitoring({ findings: monitoring().findings.slice(0, 1) })],
  ["of a breach and a fire drill", withDrill()],
  ["of none", monitoring({ findings: [], pending: 0, status: "safe" })],
])(
  "there are no figures %s",
  async (_, stage) => {
    opened.site.set({ monitoring: stage });
    const { page, leave } = await opened.visit(SCREEN);
    await settled(page);
    expect(await page.getByRole("figure").count()).toBe(0);
    await leave();
  },
  30_000,
);

test("the dashboard has the account's figures on one line, expanded on demand, and states what is not counted", async () => {
  const hidden = alerts().map((one) => ({ ...one, id: `u${one.id}`, breach: null }));
  opened.site.set({ alerts: [...alerts(), ...hidden] });
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  const line = page.locator("summary").filter({ hasText: "What was stolen, and when" });
  expect(await line.textContent()).toContain("6 breaches, 4 pending");
  expect(await page.getByRole("figure").filter({ visible: true }).count()).toBe(0);
  await line.press("Enter");
  expect((await rows(page, "Stolen data by kind"))[0]).toEqual(["Login details", "4 of 6"]);
  expect(await rows(page, "Breaches by year")).toContainEqual(["2024", "5 breaches, 3 pending"]);
  await page
    .getByText("6 more alerts are not counted, because the owners of their addresses share no details.")
    .waitFor();
  await leave();
}, 30_000);

test("the dashboard shows no figures with a single breach, without any, and if they fail to load", async () => {
  const failed = { answers: { "GET /api/alerts/figures": { status: 500, body: { code: "GENERIC" } } } };
  for (const scene of [{ alerts: alerts().slice(0, 1) }, { alerts: [] }, failed]) {
    opened.site.set(scene);
    const { page, leave } = await opened.visit("/en/dashboard");
    await page.getByRole("heading", { name: "carol@example.com" }).waitFor();
    await settled(page);
    expect(await page.getByText("What was stolen, and when").count()).toBe(0);
    await leave();
  }
}, 60_000);
