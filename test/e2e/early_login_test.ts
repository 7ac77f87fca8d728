import { afterAll, beforeAll, expect, test } from "bun:test";
import { APP, heldBack } from "../web/held_back.ts";
import { apiClient, codeIn, mailsFromNow, PASSWORD } from "./api.ts";
import { type Product, removeDirectory, startProduct, visit } from "./product.ts";
import { steps } from "./steps.ts";

const EMAIL = "early@example.com";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const person = { firstName: "Ada", lastName: "Byron", language: "de", terms: true };
  const passwords = { password: PASSWORD, confirmPassword: PASSWORD };
  await apiClient(product.url).call("POST", "/api/register", { ...person, ...passwords, email: EMAIL });
}, 120_000);
afterAll(async () => {
  await product?.stop();
  removeDirectory(product.dataDir);
});

test("the login works before hydration: wrong once, then correct, and on to the code once the app is loaded", async () => {
  const { page, violations, errors, close } = await visit(product.url, { viewport: { width: 360, height: 740 } });
  const { say, field, button, enterCode } = steps(page, "de");
  const arrive = await heldBack(page, APP);
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") calls.push(new URL(request.url()).pathname);
  });
  await page.goto("/de/login", { waitUntil: "commit" });

  await field("field.email").fill(EMAIL);
  await field("field.password").fill("Tranquil-Harbour-43");
  await button("login.submit").click();
  const failure = page.getByRole("dialog", { name: say("login.failed") });
  await failure.getByText(say("CREDENTIALS_INVALID"), { exact: true }).waitFor();
  await failure.getByRole("button", { name: say("close") }).click();

  const mails = await mailsFromNow(product.url, EMAIL);
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/login") && response.ok());
  await field("field.password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await answered;
  expect(await button("login.submit").isDisabled()).toBe(true);
  arrive();
  await enterCode(codeIn((await mails.mail(/Code/i)).text));
  await page.waitForURL("**/de/dashboard");

  expect(calls).toEqual(["/api/login", "/api/login", "/api/verify-code"]);
  expect((await mails.all()).length).toBe(1);
  expect(violations).toEqual([]);
  expect(errors).toEqual([]);
  await close();
}, 90_000);
