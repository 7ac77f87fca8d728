import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LANGUAGES } from "../../src/shared/language.ts";
import { openSite, settled } from "./browser.ts";
import { findings, shifted, watchRequests, watchShifts } from "./walk_findings.ts";
import { passingLooks } from "./walk_looks.ts";
import { ROUTES } from "./walk_stops.ts";
import { walk } from "./walking.ts";

test("every route is shown without a fault, in rotating languages, themes and widths", async () => {
  expect(ROUTES.map(({ path }) => path).filter((path) => path.includes(":"))).toEqual([]);
  expect(await walk({ looks: passingLooks(ROUTES, [...LANGUAGES]) })).toEqual([]);
}, 300_000);

describe("the walk detects", () => {
  let opened: Awaited<ReturnType<typeof openSite>>;
  beforeAll(async () => {
    opened = await openSite();
  }, 120_000);
  afterAll(() => opened.close());

  async function visit() {
    opened.site.set({ level: "unauthenticated" });
    const room = await opened.room({ viewport: { width: 360, height: 800 } });
    await watchShifts(room.context);
    let failed: string[] = [];
    const page = await room.open("/de/login", async (fresh) => {
      failed = watchRequests(fresh, { origin: opened.site.origin, answers: opened.site.stage.answers });
    });
    await settled(page);
    expect([...(await findings(page, "de")), ...(await shifted(page)), ...failed]).toEqual([]);
    return { page, failed, complaints: room.complaints, leave: room.leave };
  }

  test("what is wrong with the current page", async () => {
    const { page, leave } = await visit();
    await page.evaluate(() => {
      const add = (tag: string, more: object) =>
        document.querySelector("main")?.append(Object.assign(document.createElement(tag), more));
      add("h1", { textContent: "Noch ein Titel" });
      add("h5", { textContent: "Zu tief" });
      add("p", { textContent: "login.title" });
      add("p", { textContent: "Skip to content" });
      add("img", { src: "/favicon.svg" });
      const wide = document.createElement("div");
      wide.style.width = "500px";
      wide.style.height = "1px";
      document.body.append(wide);
      document.documentElement.lang = "fr";
      document.title = "Anmelden";
    });
    const found = (await findings(page, "de")).map((text) => text.split(": ", 2).join(": ").slice(0, 40));
    expect(found.sort()).toEqual([
      "document language: fr",
      expect.stringContaining("heading-order: "),
      expect.stringContaining("image-alt: "),
      "main headings: 2",
      expect.stringContaining("overflow: "),
      "title: Anmelden",
      "untranslated: Skip to content",
      "untranslated: login.title",
    ]);
    await leave();
  }, 60_000);

  test("layout shifts, failing calls and requests to other sites", async () => {
    const { page, failed, complaints, leave } = await visit();
    await page.evaluate(async () => {
      await new Promise(requestAnimationFrame);
      const pushing = document.createElement("div");
      pushing.style.height = "300px";
      document.body.prepend(pushing);
      await fetch("/api/nothing-there");
      // The policy of the pages blocks it before it becomes a request.
      await fetch("https://elsewhere.invalid/").catch(() => undefined);
    });
    expect(await shifted(page)).toEqual([expect.stringContaining("layout shift 0.")]);
    expect(failed).toContain("failed request: GET /api/nothing-there 404");
    expect(complaints.join()).toContain("connect-src https://elsewhere.invalid/");
    await leave();
  }, 60_000);
});
