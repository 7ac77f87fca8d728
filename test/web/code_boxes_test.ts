import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** Pastes into the first box. */
function paste(page: Page, pasted: string) {
  return page.getByLabel("Digit 1 of 6").evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);
}

const sentCodes = () =>
  opened.site.requests.flatMap(({ call, body }) =>
    call === "POST /api/verify-code" ? [(body as { code: string }).code] : [],
  );

test("a code is accepted in any form, and input without six digits is refused with a hint and not sent", async () => {
  opened.site.set({
    level: "partial",
    answers: { "POST /api/verify-code": { status: 401, body: { code: "CODE_INVALID" } } },
  });
  const { page, complaints, leave } = await opened.visit("/en/verify-code");
  const first = page.getByLabel("Digit 1 of 6");
  const refusal = page.getByText("Invalid or expired code.");
  const hint = page.getByText("A code has six digits.");
  await first.waitFor();
  const pasted = [
    "123-456",
    "１２３４５６",
    "\u202a123\u200b456\u202c",
    "123456 is your Breachbell code",
    "Der Code: 123 456\n",
  ];
  for (const [at, text] of pasted.entries()) {
    await paste(page, text);
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.value === "");
    await refusal.waitFor();
    expect(sentCodes()).toEqual(Array(at + 1).fill("123456"));
    expect(await hint.count()).toBe(0);
    // Typing a digit clears the error.
    await first.pressSequentially("7");
    await refusal.waitFor({ state: "detached" });
    await page.keyboard.press("Backspace");
    await first.press("Backspace");
  }
  const before = sentCodes().length;
  for (const text of ["hello", "12345", "1234567", "123456 or 654321", "x".repeat(20_000)]) {
    await paste(page, text);
    await refusal.waitFor();
    await hint.waitFor();
    expect(await first.evaluate((field) => field === document.activeElement)).toBe(true);
    const described = await first.getAttribute("aria-describedby");
    const words = await page.evaluate(
      (ids) => ids.split(" ").map((id) => document.getElementById(id)?.textContent),
      described ?? "",
    );
    expect(words[0]).toBe("Invalid or expired code.");
    expect(words[1]).toStartWith("A code has six digits.");
    await first.pressSequentially("7");
    await hint.waitFor({ state: "detached" });
    await first.press("Backspace");
  }
  await first.pressSequentially("12");
  await page.keyboard.press("Enter");
  await hint.waitFor();
  expect(sentCodes()).toHaveLength(before);
  // Typed in full-width characters, and autofilled as a whole.
  await first.press("Delete");
  await first.focus();
  for (const digit of "７８９０１２") await page.keyboard.insertText(digit);
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.value === "");
  await first.fill("246-810");
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.value === "");
  expect(sentCodes().slice(before)).toEqual(["789012", "246810"]);
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("the six boxes are as wide as the form, and have unique ids", async () => {
  opened.site.set({ level: "partial" });
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1440, height: 900 },
  ]) {
    const { page, leave } = await opened.visit("/en/verify-code", { viewport });
    await page.getByLabel("Digit 1 of 6").waitFor();
    const places = await page.locator("input[autocomplete=one-time-code]").evaluateAll((boxes) =>
      boxes.map((box) => {
        const { left, right } = box.getBoundingClientRect();
        return { id: box.id, left, right };
      }),
    );
    const form = await page.locator("form").boundingBox();
    const ids = places.map(({ id }) => id).filter((id) => id !== "");
    expect(new Set(ids).size).toBe(ids.length);
    expect(places[0]?.left).toBeCloseTo(form?.x ?? 0, 0);
    expect(places[5]?.right).toBeCloseTo((form?.x ?? 0) + (form?.width ?? 0), 0);
    await leave();
  }
}, 30_000);
