import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { account } from "./fake_account.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const CHALLENGE = "q83vEjRWeJCrze8SNFZ4kA";
const options = {
  status: 200,
  body: {
    challenge: CHALLENGE,
    rp: { id: "localhost", name: "Breachbell" },
    user: { id: "YWxpY2U", name: "alice.archer@example.com", displayName: "Alice Archer" },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    timeout: 1500,
  },
};
const dialog = (page: Page) => page.getByRole("dialog", { name: "Add a passkey" });

/** A browser with an authenticator whose user verifies, or not. Passkeys require a domain name, not an IP address. */
async function visitWithDevice({ confirms }: { confirms: boolean }) {
  opened.site.set({
    account: account({ confirmed: false }),
    answers: { "POST /api/factors/passkeys/options": options },
  });
  const visit = await opened.visit("/en/terms-service");
  const devtools = await visit.page.context().newCDPSession(visit.page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: confirms,
      automaticPresenceSimulation: confirms,
    },
  });
  await visit.page.goto(`${opened.site.origin.replace("127.0.0.1", "localhost")}/en/profile`);
  await settled(visit.page);
  return visit;
}

async function nameIt(page: Page) {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await dialog(page).getByLabel("Name").fill("Phone");
  await page.keyboard.press("Enter");
}

test("a passkey is created for the server's challenge and stored under its name; the first one brings recovery codes", async () => {
  const { page, leave } = await visitWithDevice({ confirms: true });
  await nameIt(page);
  // If the recent authentication expires meanwhile, the created passkey is not lost.
  await page
    .getByRole("dialog", { name: "Please enter your password" })
    .getByLabel("Password", { exact: true })
    .fill("x");
  await page.keyboard.press("Enter");
  await page.getByText("The passkey “Phone” has been added.").waitFor();
  const calls = opened.site.requests.filter(({ call }) => call === "POST /api/factors/passkeys");
  expect(calls.map(({ body }) => body)).toEqual([calls[0]?.body, calls[0]?.body]);
  const added = calls[0]?.body as {
    name: string;
    response: { response: { clientDataJSON: string } };
  };
  expect(added.name).toBe("Phone");
  const clientData = Buffer.from(added.response.response.clientDataJSON, "base64url").toString();
  expect(JSON.parse(clientData)).toMatchObject({ type: "webauthn.create", challenge: CHALLENGE });
  await page.getByRole("dialog", { name: "Your recovery codes" }).waitFor();
  await leave();
}, 30_000);

test("a cancelled passkey is reported calmly in the dialog, which keeps the name for another attempt", async () => {
  const { page, complaints, leave } = await visitWithDevice({ confirms: false });
  await nameIt(page);
  await dialog(page).getByText("No passkey was added: the request was cancelled or took too long.").waitFor();
  expect(await dialog(page).getByLabel("Name").inputValue()).toBe("Phone");
  expect(opened.site.calls()).not.toContain("POST /api/factors/passkeys");
  expect(complaints).toEqual([]);
  await leave();
}, 30_000);

test("a browser without passkeys says so and offers none", async () => {
  opened.site.set();
  const visited = await opened.visit("/en/profile", {
    prepare: (page) => page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential")),
  });
  await settled(visited.page);
  await visited.page.getByText("This browser doesn’t support passkeys.").waitFor();
  expect(await visited.page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
  await visited.leave();
}, 30_000);
