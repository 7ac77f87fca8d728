import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite } from "./browser.ts";
import type { Scene } from "./fake_api.ts";

const CHALLENGE = "q83vEjRWeJCrze8SNFZ4kA";
const options = { status: 200, body: { challenge: CHALLENGE, rpId: "localhost", allowCredentials: [] } };
const stage: Partial<Scene> = {
  level: "partial",
  methods: ["passkey", "recovery_code"],
  answers: { "POST /api/verify-passkey/options": options },
};

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** A browser with an authenticator that has a passkey for this site, or none. */
async function visitWithDevice({ passkey }: { passkey: boolean }) {
  const visit = await opened.visit("/en/terms-service");
  const { page } = visit;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  if (passkey) {
    const pair = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
    ])) as CryptoKeyPair;
    const privateKey = Buffer.from(await crypto.subtle.exportKey("pkcs8", pair.privateKey)).toString("base64");
    await devtools.send("WebAuthn.addCredential", {
      authenticatorId,
      credential: {
        credentialId: "AAAAAAAAAAAAAAAAAAAAAA==",
        isResidentCredential: true,
        rpId: "localhost",
        userHandle: "YWxpY2U=",
        signCount: 1,
        privateKey,
      },
    });
  }
  return visit;
}

/** Passkeys require a domain name, not an IP address. */
async function open(page: Page) {
  await page.goto(`${opened.site.origin.replace("127.0.0.1", "localhost")}/en/verify-code`);
  await page.getByRole("heading", { name: "Use your passkey" }).waitFor();
}

const attempts = () => opened.site.requests.filter(({ call }) => call === "POST /api/verify-passkey/options").length;

test("a passkey is requested immediately, signs the server's challenge, and continues", async () => {
  opened.site.set({ ...stage, answers: { ...stage.answers } });
  const { page, complaints, leave } = await visitWithDevice({ passkey: true });
  opened.site.stage.answers["POST /api/verify-passkey"] = { status: 401, body: { code: "PASSKEY_INVALID" } };
  await open(page);
  await page.getByText("The passkey could not be verified. Please try again.").waitFor();
  opened.site.stage.answers["POST /api/verify-passkey"] = { status: 200, body: { language: "en" } };
  opened.site.stage.level = "authenticated";
  await page.getByRole("button", { name: "Use passkey" }).click();
  await page.waitForURL("**/en/dashboard");
  const sent = opened.site.requests.findLast(({ call }) => call === "POST /api/verify-passkey")?.body;
  const { clientDataJSON } = (sent as { response: { response: { clientDataJSON: string } } }).response.response;
  expect(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString())).toMatchObject({
    type: "webauthn.get",
    challenge: CHALLENGE,
  });
  expect(complaints).toEqual([]);
  await leave();
}, 30_000);

test("a browser that requires a user gesture waits for the button; a later cancellation is shown", async () => {
  opened.site.set(stage);
  const { page, leave } = await opened.visit("/en/terms-service");
  await page.addInitScript(() => {
    navigator.credentials.get = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  });
  await open(page);
  const button = page.getByRole("button", { name: "Use passkey" });
  await page.waitForFunction(() => document.querySelector("[data-loading]") === null);
  expect(await page.getByRole("alert").count()).toBe(0);
  await button.click();
  await page.getByText("Nothing was confirmed.").waitFor();
  expect(attempts()).toBe(2);
  await leave();
}, 30_000);

test("a browser without passkeys says so, requests nothing, and offers the other methods", async () => {
  opened.site.set(stage);
  const { page, leave } = await opened.visit("/en/terms-service");
  await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
  await open(page);
  await page.getByText("This browser doesn’t support passkeys.").waitFor();
  expect(await page.getByRole("button", { name: "Use passkey" }).count()).toBe(0);
  await page.getByRole("button", { name: "Recovery code" }).click();
  await page.getByLabel("Recovery code").waitFor();
  expect(attempts()).toBe(0);
  await leave();
}, 30_000);

test("a lock is shown in a modal, and choosing another method cancels the request", async () => {
  opened.site.set({
    ...stage,
    answers: { "POST /api/verify-passkey/options": { status: 429, body: { code: "LOCKED", retryAfter: 3600 } } },
  });
  const { page, leave } = await opened.visit("/en/terms-service");
  await page.addInitScript(() => {
    navigator.credentials.get = (wanted) =>
      new Promise((_, reject) =>
        wanted?.signal?.addEventListener("abort", () => {
          document.title = "taken back";
          reject(new DOMException("no", "AbortError"));
        }),
      );
  });
  await open(page);
  await page.getByRole("dialog", { name: "Verification failed" }).getByText("temporarily locked login").waitFor();
  await page.keyboard.press("Escape");
  Object.assign(opened.site.stage.answers, stage.answers);
  const asked = page.waitForResponse("**/api/verify-passkey/options");
  await page.getByRole("button", { name: "Use passkey" }).click();
  await asked;
  await page.waitForFunction(() => document.querySelector("[data-loading]") !== null);
  await page.getByRole("button", { name: "Recovery code" }).click();
  await page.waitForFunction(() => document.title === "taken back");
  await leave();
}, 30_000);
