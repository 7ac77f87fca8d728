import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite } from "./browser.ts";
import { earlyLogin, TYPED } from "./early_login.ts";
import type { Scene } from "./fake_api.ts";

const stranger: Partial<Scene> = { level: "unauthenticated" };

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/**
 * The form's final appearance and accessible state, except for ids, which are random in the app, and for its input,
 * which the app repeats in the markup.
 */
const looks = async () => {
  await Promise.all(document.getAnimations().map(({ finished }) => finished));
  return [...document.querySelectorAll("main form *")].map((element) => {
    const of = (name: string) => {
      const value = element.getAttribute(name);
      return value?.startsWith("mantine-") ? (document.getElementById(value)?.textContent ?? "?") : value;
    };
    const names = element
      .getAttributeNames()
      .filter((name) => !["id", "for", "style", "data-style", "value"].includes(name));
    const { color, borderColor, opacity } = getComputedStyle(element);
    const { x, y, width, height } = element.getBoundingClientRect();
    return [
      element.localName,
      ...names.toSorted().map((name) => `${name}=${of(name)}`),
      ...[color, borderColor, opacity, ...[x, y, width, height].map(Math.round)],
      element.childElementCount === 0 ? element.textContent : "",
    ].join(" ");
  });
};

test("server errors before hydration are shown at the fields as the app shows them, and stay during hydration", async () => {
  const fields = { email: "EMAIL_INVALID", password: "PASSWORD_REQUIRED" };
  const answers = { "POST /api/login": { status: 422, body: { code: "EMAIL_INVALID", fields } } };
  for (const [viewport, colorScheme] of [
    [{ width: 360, height: 740 }, "dark"],
    [{ width: 1440, height: 900 }, "light"],
  ] as const) {
    opened.site.set({ ...stranger, answers });
    const { page, say, email, password, submit, complaints, arrive, leave, focused } = await earlyLogin(opened, "pt", {
      viewport,
      colorScheme,
    });
    await email.fill(TYPED.email);
    await password.fill(TYPED.password);
    await submit.click();
    await page.getByText(say("EMAIL_INVALID"), { exact: true }).waitFor();
    expect(await focused()).toBe("email");
    expect(await email.getAttribute("aria-invalid")).toBe("true");
    expect(
      await email.evaluate(
        (input) => document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent,
      ),
    ).toBe(say("EMAIL_INVALID"));
    await page.waitForFunction(() => document.fonts.status === "loaded");
    const before = await page.evaluate(looks);
    // Typing continues in a field other than the first one with an error.
    await password.focus();
    await arrive();
    expect(await focused()).toBe("password");
    expect(await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)).toEqual([]);
    await email.focus();
    expect(await page.evaluate(looks)).toEqual(before);
    // A corrected field is no longer marked, and the other field still is.
    await email.press("End");
    await page.keyboard.type(".org");
    expect(await page.getByText(say("EMAIL_INVALID"), { exact: true }).count()).toBe(0);
    expect(await page.getByText(say("PASSWORD_REQUIRED"), { exact: true }).count()).toBe(1);
    // The app on its own gives the same result.
    await email.fill(TYPED.email);
    await submit.click();
    await page.getByText(say("EMAIL_INVALID"), { exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("data-path") === "email");
    expect(await page.evaluate(looks)).toEqual(before);
    expect(complaints).toEqual([]);
    await leave();
  }
}, 60_000);

test("before hydration too, a corrected field is no longer marked, and the other field still is", async () => {
  const fields = { email: "EMAIL_INVALID", password: "PASSWORD_REQUIRED" };
  opened.site.set({
    ...stranger,
    answers: { "POST /api/login": { status: 422, body: { code: "EMAIL_INVALID", fields } } },
  });
  const { page, say, email, password, complaints, arrive, leave } = await earlyLogin(opened, "es");
  await email.press("Enter");
  await page.getByText(say("PASSWORD_REQUIRED"), { exact: true }).waitFor();
  await password.fill(TYPED.password);
  expect(await page.getByText(say("PASSWORD_REQUIRED"), { exact: true }).count()).toBe(0);
  expect(await password.getAttribute("aria-invalid")).toBe("false");
  expect(await page.getByText(say("EMAIL_INVALID"), { exact: true }).count()).toBe(1);
  await arrive();
  expect(await password.inputValue()).toBe(TYPED.password);
  expect(await page.getByText(say("EMAIL_INVALID"), { exact: true }).count()).toBe(1);
  expect(await page.getByText(say("PASSWORD_REQUIRED"), { exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);
