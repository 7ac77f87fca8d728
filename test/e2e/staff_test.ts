import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { codeIn, mailsFromNow, PASSWORD, signIn } from "./api.ts";
import { type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

const [STAFF, BOB] = ["ada@example.com", "bob@example.com"];
const REASONS = { lock: "Sends spam to strangers", unlock: "It was somebody else" };

let product: Product;
let office: Visit;
let home: Visit;
const arrive = () => visit(product.url, { viewport: { width: 1440, height: 900 } });

/** An account with a session, whose cookie is set in the browser. */
async function signedIn({ page }: Visit, email: string): Promise<void> {
  const mails = await mailsFromNow(product.url, email);
  const client = await signIn(product.url, email, async () => codeIn((await mails.mail(/code/i)).text));
  const [name = "", value = ""] = client.cookie().split("=");
  await page.context().addCookies([{ name, value, url: product.url }]);
}

beforeAll(async () => {
  product = await startProduct();
  [office, home] = await Promise.all([arrive(), arrive()]);
  await Promise.all([signedIn(office, STAFF), signedIn(home, BOB)]);
}, 120_000);
afterAll(async () => {
  await Promise.all([office?.close(), home?.close()]);
  await product?.stop();
  removeDirectory(product.dataDir);
});

/** Runs the operator's command line next to the running product. */
async function breachbell(...words: string[]): Promise<string> {
  const running = Bun.spawn([process.execPath, "src/breachbell.ts", ...words], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", DATA_DIR: product.dataDir },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const said = await new Response(running.stdout).text();
  expect(await running.exited).toBe(0);
  return said;
}

test("a user made staff on the command line locks an account with a reason, unlocks it, and both are logged", async () => {
  const { page } = office;
  const english = steps(page, "en");
  const user = steps(home.page, "en");

  // For everybody else the staff's pages do not exist.
  await page.goto("/en/staff/users");
  await english.page404.waitFor();
  expect(await breachbell("users", "staff", STAFF, "on")).toContain(STAFF);
  await page.context().clearCookies({ name: "session" });
  await page.goto("/en/login");
  await english.signIn(STAFF);
  await page.getByRole("link", { name: english.say("staff.title") }).click();
  await page.getByRole("heading", { level: 1, name: english.say("staff.title") }).waitFor();
  await page.getByRole("link", { name: english.say("staff.nav.users"), exact: true }).click();
  await page.getByLabel(english.say("staff.users.search")).fill("BOB@");
  await page.getByRole("link", { name: STAFF }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: BOB }).click();

  await home.page.goto("/en/dashboard");
  await user.heading("dashboard.title").waitFor();

  // As if the password had been typed more than a quarter of an hour ago, as a real process' clock cannot be set.
  const refusal = { status: 403, json: { code: "REAUTHENTICATION_REQUIRED" } };
  await page.route("**/api/staff/accounts/*/lock", (route) => route.fulfill(refusal), { times: 1 });
  await english.button("staff.do.lock").click();
  const lock = page.getByRole("dialog", { name: english.say("staff.do.lock") });
  await lock.getByLabel(english.say("staff.reason")).fill(REASONS.lock);
  await lock.getByRole("button", { name: english.say("staff.do.lock") }).click();
  const confirmation = page.getByRole("dialog", { name: english.say("confirm.title") });
  await confirmation.getByLabel(english.say("field.password"), { exact: true }).fill(PASSWORD);
  await confirmation.locator("button[type=submit]").click();
  await page.getByText(english.say("staff.done.lock")).waitFor();
  await page.getByText(english.say("staff.account.locked"), { exact: true }).first().waitFor();

  // The lock has ended the session.
  await home.page.goto("/en/profile");
  await home.page.waitForURL("**/en/login**");
  await user.logIn(BOB);
  await home.page.getByRole("dialog").getByText(user.say("ACCOUNT_LOCKED")).waitFor();

  await english.button("staff.do.unlock").click();
  const unlock = page.getByRole("dialog", { name: english.say("staff.do.unlock") });
  await unlock.getByLabel(english.say("staff.reason")).fill(REASONS.unlock);
  await unlock.getByRole("button", { name: english.say("staff.do.unlock") }).click();
  await page.getByText(english.say("staff.done.unlock")).waitFor();
  await home.page.goto("/en/login");
  await user.logIn(BOB);
  await home.page.waitForURL("**/en/verify-code");

  await page.getByRole("link", { name: english.say("staff.nav.audit"), exact: true }).click();
  const acts = page.getByRole("main").getByRole("listitem");
  for (const [act, parts] of Object.entries({
    account_locked: [BOB, STAFF, REASONS.lock],
    account_unlocked: [BOB, STAFF, REASONS.unlock],
    staff_granted: [STAFF, english.say("staff.audit.command_line")],
  })) {
    const row = acts.filter({ has: page.locator("strong", { hasText: english.say(`staff.act.${act}`) }) });
    await row.first().waitFor();
    const shown = (await row.allInnerTexts()).join("\n");
    for (const part of parts) expect(shown).toContain(part);
  }
  expect([office.violations, office.errors, home.violations, home.errors].flat()).toEqual([]);
}, 120_000);

test("in maintenance mode, everybody sees its page, and the staff log in through theirs", async () => {
  const { page } = office;
  const english = steps(page, "en");
  await breachbell("maintenance", "on");
  expect((await home.page.goto("/en/login"))?.status()).toBe(503);
  await page.context().clearCookies({ name: "session" });
  await page.goto("/en/staff");
  await page.waitForURL("**/en/login**");
  const mails = await mailsFromNow(product.url, STAFF);
  await english.logIn(STAFF);
  await english.enterCode(codeIn((await mails.mail(/code/i)).text));
  await page.getByRole("heading", { level: 1, name: english.say("staff.title") }).waitFor();
  await page.reload();
  await page.getByText(english.say("staff.sources"), { exact: true }).waitFor();
  await breachbell("maintenance", "off");
  expect([office.violations, office.errors, home.violations, home.errors].flat()).toEqual([]);
}, 120_000);
