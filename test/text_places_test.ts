import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { placesOf, screens, topicsInReadingOrder } from "./support/text_places.ts";

test("the reading order has every topic once, and begins with what all screens share", () => {
  const topics = readdirSync(join(import.meta.dirname, "../locales/en")).map((file) => basename(file, ".json"));
  expect(topicsInReadingOrder().toSorted()).toEqual(topics.toSorted());
  expect(topicsInReadingOrder().slice(0, 2)).toEqual(["ui", "tracking"]);
});

test("every page of the route table has its place in that order", () => {
  expect(screens().length).toBeGreaterThan(25);
  expect(screens().find(({ path }) => path === "terms-service")?.topics).toEqual(["terms"]);
  expect(screens().filter(({ topics }) => topics.includes("staff")).length).toBeGreaterThan(4);
});

test("a text is found where it is named, literally, with its topic or by a template", () => {
  expect(placesOf("ui", "login.forgot")).toEqual(["web/identity/sign_in/login.tsx"]);
  expect(placesOf("sandbox", "note")).toContain("src/billing/adapters/sandbox/sandbox_html.ts");
  expect(placesOf("drill", "drill.waiting")).toContain("web/notifications/drill_verdict.tsx");
  expect(placesOf("ui", "no.such.text")).toEqual([]);
});
