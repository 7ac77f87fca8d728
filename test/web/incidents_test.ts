import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { localTime } from "../../web/staff/incident_values.ts";
import { openSite, settled } from "./browser.ts";
import { incidents } from "./fake_service_status.ts";
import { INCIDENT_SCREENS, listed, PATH } from "./incident_screens.ts";
import { testScreens } from "./screens.ts";

const press = (name: string) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("dialog").waitFor();
  await settled(page);
};
const openLanguages = async (page: Page) => {
  await press("New incident")(page);
  for (const summary of await page.getByRole("dialog").locator("summary").all()) await summary.click();
};
testScreens(INCIDENT_SCREENS);

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

describe("the staff's incidents", () => {
  test("require an English text before anything is sent, and are sent in every language that was written", async () => {
    opened.site.set(listed([]));
    const { page, leave } = await opened.visit(`/en${PATH}`);
    await openLanguages(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title (German)").fill("Mails verspätet");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.getByText("This field is required.").first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("lang"))).toBe("en");
    expect(opened.site.calls()).not.toContain("POST /api/staff/incidents");
    await dialog.getByLabel("Title (English)").fill("Mail is late");
    await dialog.getByLabel("Text (English)").fill("We look.");
    await dialog.getByLabel("Email").check();
    await dialog.getByLabel("Start").fill("2026-11-20T12:30");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await page.getByText("The status page has been updated").waitFor();
    const sent = opened.site.requests.find(({ call }) => call === "POST /api/staff/incidents")?.body;
    expect(sent).toMatchObject({
      kind: "incident",
      state: "investigating",
      parts: ["email"],
      endsAt: null,
      title: { en: "Mail is late", de: "Mails verspätet", fr: "" },
      text: { en: "We look." },
      startsAt: await page.evaluate(() => new Date("2026-11-20T12:30").toISOString()),
    });
    await leave();
  }, 60_000);

  test("of kind maintenance must end after they start", async () => {
    opened.site.set(listed([]));
    const { page, leave } = await opened.visit(`/en${PATH}`);
    await press("Plan maintenance")(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title (English)").fill("New database");
    await dialog.getByLabel("Text (English)").fill("A minute.");
    await dialog.getByLabel("Start").fill("2026-11-22T22:00");
    await dialog.getByLabel("Planned end").fill("2026-11-22T21:00");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.getByText("The end must be later than the start.").waitFor();
    await leave();
  }, 60_000);

  test("have updates that can be corrected, each with its own button and current text", async () => {
    const [incident] = incidents();
    const [, older] = incident?.updates ?? [];
    const call = `PUT /api/staff/incidents/${incident?.id}/updates/${older?.id}`;
    opened.site.set({ ...listed(), answers: { ...listed().answers, [call]: { status: 200, body: {} } } });
    const { page, leave } = await opened.visit(`/en${PATH}`);
    await page
      .getByRole("button", { name: /^Correct the update from / })
      .nth(1)
      .click();
    const dialog = page.getByRole("dialog", { name: "Correct this update" });
    const words = dialog.getByLabel("Text (English)");
    expect(await words.inputValue()).toBe("We are looking into it.");
    await words.fill("We looked into it.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("The status page has been updated").waitFor();
    const sent = opened.site.requests.find((request) => request.call === call)?.body;
    expect(sent).toMatchObject({ state: "investigating", text: { en: "We looked into it.", de: "" } });
    await leave();
  }, 60_000);

  test("are deleted only after a confirmation that explains the consequences", async () => {
    opened.site.set({
      ...listed(),
      answers: {
        ...listed().answers,
        [`DELETE /api/staff/incidents/${incidents()[0]?.id}`]: { status: 200, body: {} },
      },
    });
    const { page, leave } = await opened.visit(`/en${PATH}`);
    await press("Delete")(page);
    const dialog = page.getByRole("dialog", { name: "Delete “Mails arrive late”?" });
    expect(await dialog.textContent()).toContain("If the incident is over, post an update instead.");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("The status page has been updated").waitFor();
    expect(opened.site.calls()).toContain(`DELETE /api/staff/incidents/${incidents()[0]?.id}`);
    await leave();
  }, 60_000);

  test("localTime() is the time in the user's time zone", () => {
    const instant = new Date("2026-07-01T12:00:00Z");
    expect(new Date(localTime(instant)).getTime()).toBe(instant.getTime());
  });
});
