import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, codeIn, mailbox, mailsFromNow, signIn } from "./api.ts";
import { eventually, type Product, removeDirectory, startProduct, visit } from "./product.ts";

const ADA = "ada@example.com";
type Items = { items: { breach: { name: string; flags: string[] } | null }[]; pending: number };
type Associations = { items: { status: string }[] };

let product: Product;
let client: Client;
beforeAll(async () => {
  product = await startProduct({ BILLING: "off" });
  client = await signIn(product.url, ADA, async () => {
    const [mail] = await mailbox(product.url);
    return mail && codeIn(mail.text);
  });
}, 60_000);
afterAll(async () => {
  await product?.stop();
  removeDirectory(product.dataDir);
});

async function read<T>(path: string): Promise<T> {
  return (await (await client.call("GET", path)).json()) as T;
}

/** The account's alerts and addresses. */
async function shown() {
  const [alerts, bell, addresses] = await Promise.all([
    read<Items>("/api/alerts?state=all"),
    read<Items>("/api/bell"),
    read<Associations>("/api/associations"),
  ]);
  const names = ({ items }: Items) => items.map(({ breach }) => breach?.name).toSorted();
  return { alerts: names(alerts), bell: names(bell), pending: alerts.pending, status: addresses.items[0]?.status };
}

test("a fire drill runs from detection to handling in the real process, is marked as such, and leaves nothing", async () => {
  const tracked = await client.call("POST", "/api/associations", {
    address: ADA,
    owner: true,
    language: "en",
    contacts: { email: [ADA] },
  });
  expect(tracked.status).toBe(201);
  await eventually(
    "the first check is over",
    async () => ((await shown()).status === "active" ? undefined : true),
    120_000,
  );
  await (await mailsFromNow(product.url, ADA)).all();
  const before = await shown();

  const browser = await visit(product.url);
  const { page } = browser;
  const [name = "", value = ""] = client.cookie().split("=");
  await page.context().addCookies([{ name, value, url: product.url }]);
  await page.goto("/en/test-alerts");
  const drill = page.getByRole("region", { name: "Fire drill" });
  const mails = await mailsFromNow(product.url, ADA);
  await drill.getByRole("button", { name: "Start the fire drill" }).click();
  const mail = await mails.mail(/Fire drill/);
  expect(mail.text).toContain("This is a drill that you started yourself.");
  expect(mail.text).not.toContain("Breach data:");
  await drill.getByText(/^It works: 1 of 1 contact reached in \d+ seconds?\.$/).waitFor();
  await drill.getByText("Accepted by the provider").waitFor();
  const during = await read<Items>("/api/alerts?state=pending");
  expect(during.items[0]?.breach?.flags).toEqual(["drill"]);
  expect(during.pending).toBe(before.pending + 1);

  await drill.getByRole("button", { name: "Mark as handled" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Mark as handled" }).click();
  await drill.getByText("Everything worked, from detection to handling.").waitFor();
  await page.reload();
  await drill.getByRole("button", { name: "End the drill and delete it" }).click();
  await page.getByText("The fire drill has ended. Nothing was kept.").waitFor();
  await mails.all();
  expect(await shown()).toEqual(before);
  expect(await read<unknown>("/api/fire-drill")).toEqual({ drill: null });
  expect([browser.violations, browser.errors]).toEqual([[], []]);
  await browser.close();
}, 240_000);
