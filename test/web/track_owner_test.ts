import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));

// Formerly typing over the address cleared the choice, so that a corrected typo sent an invitation to the user's own
// other mailbox. Now the choice of the user holds for whatever address is typed.
test("a chosen owner stays chosen when a typo in the address is corrected", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track");
  const address = page.getByLabel("Email address", { exact: true });
  const [own, somebody] = ["I own this email address", "Someone else’s address"].map((name) =>
    page.getByRole("radio", { name, exact: true }),
  );
  await own?.check();
  await address.pressSequentially("alice@exampel.org");
  await address.blur();
  await address.fill("alice@example.org");
  await page.getByText("We’ll email a link to this address").waitFor();
  expect(await own?.isChecked()).toBe(true);
  await somebody?.check();
  await address.fill("bob@example.org");
  expect(await somebody?.isChecked()).toBe(true);
  await own?.check();
  await address.fill("");
  await address.fill("alice@example.net");
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByText("We’ve sent a link to alice@example.net.").waitFor();
  expect(acts().at(-1)?.body).toMatchObject({ address: "alice@example.net", owner: true });
  await leave();
}, 30_000);

test("the account’s own address selects “own”, which is deselected after it unless it was chosen", async () => {
  opened.site.set({ associations: [] });
  const { page, leave } = await opened.visit("/en/new-track");
  const address = page.getByLabel("Email address", { exact: true });
  const own = page.getByRole("radio", { name: "I own this email address", exact: true });
  // The account's own address was filled in by the form, not chosen by the user.
  expect([await address.inputValue(), await own.isChecked()]).toEqual(["alice.archer@example.com", true]);
  await address.fill("carol@example.com");
  expect(await own.isChecked()).toBe(false);
  await page.getByRole("radio", { name: "Someone else’s address", exact: true }).check();
  await address.fill("Alice.Archer@Example.com");
  expect(await own.isChecked()).toBe(true);
  await address.fill("carol@example.com");
  expect(await own.isChecked()).toBe(false);
  await own.check();
  await address.fill("alice.archer@example.com");
  await address.fill("alice@example.org");
  expect(await own.isChecked()).toBe(true);
  await leave();
}, 30_000);

test("choosing somebody else's clears the own address, and hidden choices are restored", async () => {
  opened.site.set({ associations: [] });
  const { page, leave } = await opened.visit("/en/new-track");
  const address = page.getByLabel("Email address", { exact: true });
  const [own, somebody] = ["I own this email address", "Someone else’s address"].map((name) =>
    page.getByRole("radio", { name, exact: true }),
  );
  if (!own || !somebody) throw new Error("no cards");
  expect(await page.getByLabel("Language of the invitation").count()).toBe(0);
  await somebody.check();
  expect(await address.inputValue()).toBe("");
  await page.getByLabel("Language of the invitation").selectOption("it");
  await own.check();
  expect(await address.inputValue()).toBe("alice.archer@example.com");
  // "Own" was chosen, so it also holds for another address.
  await address.fill("carol@example.com");
  expect(await own.isChecked()).toBe(true);
  await somebody.check();
  expect(await page.getByLabel("Language of the invitation").inputValue()).toBe("it");
  await own.check();
  await somebody.check();
  expect(await address.inputValue()).toBe("carol@example.com");
  await leave();
}, 30_000);
