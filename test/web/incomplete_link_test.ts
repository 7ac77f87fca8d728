import { afterAll, beforeAll, expect, test } from "bun:test";
import { tokenIn } from "../../web/app/link_token.ts";
import { openSite } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const TOKEN = "Ab-_9.x";

/** Pages that a mailed link opens, and the request that reads the link. */
const LINKS = [
  ["reset-password", "/api/reset-password/check"],
  ["confirm-email", "/api/email-change/inspect"],
  ["manage-contact", "/api/contact-links/inspect"],
  ["manage-invitation", "/api/invitation-links/inspect"],
  ["domain-notice", "/api/domain-links/inspect"],
] as const;

test.each([
  ["a link", `https://breachbell.example/en/reset-password#t=${TOKEN}`],
  ["a link in a sentence", `Open https://breachbell.example/en/reset-password#t=${TOKEN} now`],
  [
    "a link that a mail filter has wrapped",
    `https://safe.example/?url=https%3A%2F%2Fbreachbell.example%2Fen%2Freset-password%23t%3D${TOKEN}&data=05%7C`,
  ],
])("tokenIn() finds the token of %s", (_, pasted) => {
  expect(tokenIn(pasted)).toBe(TOKEN);
});

test.each(["", "https://breachbell.example/en/reset-password", "https://breachbell.example/en/reset-password#t="])(
  "tokenIn() finds none in %p",
  (pasted) => {
    expect(tokenIn(pasted)).toBeUndefined();
  },
);

test.each(LINKS)(
  "a link to %s without its end says so, and takes the whole link",
  async (path, inspection) => {
    opened.site.set({ level: "unauthenticated" });
    const { page, leave } = await opened.visit(`/en/${path}`);
    await page.getByRole("heading", { name: "This link is incomplete" }).waitFor();
    const field = page.getByLabel("Link from the message");
    await field.fill(`https://breachbell.example/en/${path}`);
    await page.getByRole("button", { name: "Open the link" }).click();
    await page.getByText("This isn’t the whole link").waitFor();
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    await field.fill(`https://breachbell.example/en/${path}#t=${TOKEN}`);
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.url().endsWith(inspection)),
      page.keyboard.press("Enter"),
    ]);
    expect(request.postDataJSON()).toEqual({ token: TOKEN });
    await page.getByRole("heading", { name: "This link is incomplete" }).waitFor({ state: "detached" });
    expect(new URL(page.url()).hash).toBe("");
    await leave();
  },
  30_000,
);

test("a page of a purchase that names none says where to look, not that the purchase is unknown", async () => {
  opened.site.set({});
  const { page, leave } = await opened.visit("/en/success-order");
  await page.getByRole("heading", { name: "Which purchase is this about?" }).waitFor();
  await leave();
}, 30_000);

test.each(LINKS)(
  "a link to %s survives another language and a reload, and is not seen in the address bar",
  async (path, inspection) => {
    opened.site.set({ level: "unauthenticated" });
    const { page, leave } = await opened.visit(`/en/${path}#t=${TOKEN}`);
    await page.waitForFunction(() => location.hash === "");
    await page.getByLabel("Language", { exact: true }).selectOption("de");
    await page.waitForURL(`**/de/${path}`);
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.url().endsWith(inspection)),
      page.reload(),
    ]);
    expect(request.postDataJSON()).toEqual({ token: TOKEN });
    expect(page.url()).not.toContain(TOKEN);
    await leave();
  },
  30_000,
);
