import { describe, expect, test } from "bun:test";
import { layOut } from "../../src/notifications/adapters/channels/email/email_layout.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import { isAmong } from "../../src/notifications/messages/message.ts";
import { PLAN_TEMPLATES, planContent } from "../../src/notifications/messages/plan_message.ts";
import { LANGUAGES } from "../../src/shared/language.ts";

const translate = intlTranslate();
const publicUrl = "https://breachbell.example";
const PARAMS = {
  plan: "professional",
  quantity: "5",
  period: "monthly",
  cap: "50",
  days: "7",
  until: "2026-12-04T12:00:00.000Z",
  at: "2026-12-04T12:00:00.000Z",
  periodEnd: "2026-12-20T12:00:00.000Z",
};
const textOf = (params: Record<string, string>, template: (typeof PLAN_TEMPLATES)[number], language = "en" as never) =>
  JSON.stringify(planContent(template, { params, language, translate, publicUrl }));

describe("planContent()", () => {
  const cases = PLAN_TEMPLATES.flatMap((template) => LANGUAGES.map((language) => ({ template, language })));
  test.each(cases)(
    "renders $template completely in $language, with a single button that leads to the plan",
    ({ template, language }) => {
      const content = planContent(template, { params: PARAMS, language, translate, publicUrl });
      const buttons = content.blocks.filter(({ kind }) => kind === "button");
      expect(buttons).toMatchObject([{ url: `${publicUrl}/${language}/subscription` }]);
      const { text } = layOut(content);
      expect(text).not.toMatch(/[{}]|mail\.|undefined|Invalid|NaN/);
      expect(content.subject.length).toBeWithin(10, 90);
    },
  );

  test("states the end date, the plan, and the number of addresses", () => {
    expect(textOf(PARAMS, "plan_started")).toContain("5 × Professional plan is active and covers 50 addresses");
    expect(textOf({ ...PARAMS, quantity: "1", cap: "1" }, "plan_started")).toContain(
      "Professional plan is active and covers 1 address.",
    );
    const unlimited = { ...PARAMS, plan: "business", quantity: "1", cap: "unlimited" };
    expect(textOf(unlimited, "plan_changed")).toContain("Business and covers any number of addresses");
    expect(textOf(unlimited, "plan_changed")).not.toContain("paused");
    expect(textOf(PARAMS, "plan_changed")).toContain("checks of the newest ones stop");
    expect(textOf(PARAMS, "payment_failed")).toContain("December 4, 2026");
  });

  test.each([
    ["7", "within 7 days"],
    ["1", "within a day"],
    ["0", "today"],
  ])("says %p days before the trial ends: %s", (days, words) => {
    const { subject } = planContent("trial_ending", {
      params: { ...PARAMS, days },
      language: "en",
      translate,
      publicUrl,
    });
    expect(subject).toBe(`Your free trial ends ${words}`);
  });

  test("recognises its own templates", () => {
    expect(isAmong(PLAN_TEMPLATES, "plan_started")).toBe(true);
    for (const other of ["login_code", "toString", "constructor"]) expect(isAmong(PLAN_TEMPLATES, other)).toBe(false);
  });
});
