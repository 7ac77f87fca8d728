import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Alert } from "../../web/api/api.ts";
import { openSite, settled } from "./browser.ts";
import { alerts } from "./fake_alerts.ts";
import { openFolds } from "./folds.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** One alert with these labels, found by these sources. */
function one(dataClasses: string[], sources: string[], name = "Northwind"): Alert[] {
  const [alert] = alerts();
  if (!alert?.breach) throw new Error("Cannot find the first alert");
  return [{ ...alert, sources, breach: { ...alert.breach, name, dataClasses } }];
}

async function visit(path: string, list: Alert[]) {
  opened.site.set({ alerts: list });
  const visited = await opened.visit(path, { viewport: { width: 1440, height: 900 } });
  await settled(visited.page);
  return visited;
}

describe("stolen data", () => {
  test("is listed by group, most sensitive first; a new category is shown unchanged", async () => {
    const labels = ["Usernames", "Shoe colours", "Names", "Phone numbers", "Passwords", "Credit cards"];
    const { page, complaints, leave } = await visit("/de/alerts?alert=b1", one(labels, ["hibp"]));
    const drawer = page.getByRole("dialog");
    await openFolds(drawer);
    const groups = drawer.locator("ul > li:has(> ul)");
    await groups.first().waitFor();
    expect((await groups.allInnerTexts()).map((text) => text.split("\n").filter(Boolean))).toEqual([
      ["Anmeldedaten", "Passwörter", "Benutzernamen"],
      ["Geld", "Kreditkarten"],
      ["Kontaktdaten", "Telefonnummern"],
      ["Weitere Daten", "Shoe colours"],
      ["Person", "Namen"],
    ]);
    // One icon for each group and category, hidden from screen readers.
    expect(await groups.locator("svg").count()).toBe(11);
    expect(await groups.locator('svg:not([aria-hidden="true"])').count()).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  });

  test.each([
    [["xposedornot"], "xposedornot:Northwind", "Breach data: XposedOrNot."],
    [["dataset"], "dataset:Northwind", "Breach data: a list kept by this service’s operator."],
    [["hibp"], "Northwind", "Breach data: Have I Been Pwned (CC BY 4.0)."],
    [
      ["hibp", "dataset"],
      "Northwind",
      "Breach data: Have I Been Pwned (CC BY 4.0), a list kept by this service’s operator.",
    ],
  ])("found by %j in %s is credited exactly as required", async (sources, name, credit) => {
    const { page, complaints, leave } = await visit("/en/alerts", one(["Names"], sources, name));
    const notes = page.getByText("Breach data:");
    await notes.first().waitFor();
    expect(await notes.allInnerTexts()).toEqual([credit]);
    expect(complaints).toEqual([]);
    await leave();
  });

  test("if there is none, credits the queried sources", async () => {
    const { page, leave } = await visit("/en/alerts", []);
    const note = page.getByText("Breach data:");
    await note.waitFor();
    expect(await note.textContent()).toBe("Breach data: Have I Been Pwned (CC BY 4.0).");
    const links = await note.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links).toEqual(["https://haveibeenpwned.com", "https://creativecommons.org/licenses/by/4.0/"]);
    await leave();
  });
});
