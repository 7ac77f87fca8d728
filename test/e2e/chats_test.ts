import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import texts from "../../locales/en/contacts.json";
import { CHATS } from "../../src/shared/chats.ts";
import type { ChatPeer } from "../support/chats/chat_peer.ts";
import { CHAT_PEERS, type ChatPeerName } from "../support/chats/peers.ts";
import { LOOPBACK_AUTHORITY } from "../support/loopback_certificate.ts";
import { type Client, codeIn, mailbox, mailsFromNow, signIn } from "./api.ts";
import { eventually, type Product, removeDirectory, startProduct, temporaryDirectory, visit } from "./product.ts";
import { publishBreach } from "./publish.ts";

const ADA = "ada@example.com";
const NAMES = Object.keys(CHAT_PEERS) as ChatPeerName[];

let product: Product;
let client: Client;
const peers = new Map<ChatPeerName, ChatPeer>();
const dataDir = temporaryDirectory();
beforeAll(async () => {
  for (const name of NAMES) peers.set(name, await CHAT_PEERS[name].start({ host: "localhost" }));
  const authority = join(dataDir, "authority.pem");
  writeFileSync(authority, LOOPBACK_AUTHORITY);
  const env = { BILLING: "off", WEBHOOK_ALLOW_PRIVATE: "true", NODE_EXTRA_CA_CERTS: authority };
  product = await startProduct(env, dataDir);
  client = await signIn(product.url, ADA, async () => {
    const [mail] = await mailbox(product.url);
    return mail && codeIn(mail.text);
  });
}, 90_000);
afterAll(async () => {
  await product?.stop();
  for (const peer of peers.values()) await peer.stop();
  removeDirectory(dataDir);
});

const peerOf = (name: ChatPeerName) => peers.get(name) ?? expect.unreachable();
const cardOf = (page: Page, name: ChatPeerName) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: `Team on ${name}`, exact: true }) });
const labelOf = (field: string) => (texts as Record<string, string>)[`chat.field.${field}`] ?? field;

async function fillIn(page: Page, name: ChatPeerName): Promise<void> {
  for (const [field, value] of Object.entries(peerOf(name).entered))
    if (value) await page.getByLabel(labelOf(field), { exact: true }).fill(value);
}

/** How to connect it is explained, and the first message follows at once. */
async function connect(page: Page, name: ChatPeerName): Promise<void> {
  await page.getByText(CHATS[CHAT_PEERS[name].chat].name, { exact: true }).first().click();
  await page.getByText("It is stored encrypted and never shown again.").waitFor();
  await fillIn(page, name);
  await page.getByLabel("Name", { exact: true }).fill(`Team on ${name}`);
  await page.getByRole("button", { name: "Connect and send a test" }).click();
  await page.getByText(`Team on ${name} is connected.`).waitFor();
  await page.getByText("Accepted by the provider").first().waitFor();
  expect(peerOf(name).titles()).toEqual(["Test: your alerts arrive here"]);
  await cardOf(page, name).getByText("Active", { exact: true }).waitFor();
  for (const secret of peerOf(name).secrets) expect(await page.content()).not.toContain(secret);
}

const received = (name: ChatPeerName, count: number) =>
  eventually(`message ${count} on ${name}`, () => peerOf(name).texts()[count - 1], 120_000);

test("each chat is connected, tested and alerted, replaced by email when it is gone, and connected again", async () => {
  const { page, violations, errors, close } = await visit(product.url);
  const [name = "", value = ""] = client.cookie().split("=");
  await page.context().addCookies([{ name, value, url: product.url }]);
  await page.goto("/en/contacts");
  for (const each of NAMES) await connect(page, each);

  const { items } = (await (await client.call("GET", "/api/contacts")).json()) as {
    items: { channel: string; value: string }[];
  };
  const chats = items.filter(({ channel }) => channel in CHATS);
  const contacts = Object.fromEntries(
    chats.map(({ channel }) => [channel, chats.filter((one) => one.channel === channel).map((one) => one.value)]),
  );
  expect(chats).toHaveLength(NAMES.length);
  const form = { address: ADA, owner: true, language: "en", contacts };
  expect((await client.call("POST", "/api/associations", form)).status).toBe(201);
  for (const each of NAMES) await received(each, 2);
  publishBreach(dataDir);
  for (const each of NAMES) expect(await received(each, 3)).toContain(`${product.url}/en/alerts?alert=`);

  for (const peer of peers.values()) peer.end();
  const mails = await mailsFromNow(product.url, ADA);
  publishBreach(dataDir, "--all");
  await mails.mail(/breach/i);
  await page.reload();
  for (const each of NAMES) await cardOf(page, each).getByText("Cannot be reached").waitFor();

  const [first] = NAMES as [ChatPeerName];
  peerOf(first).revive();
  await cardOf(page, first)
    .getByRole("button", { name: `Connect again: Team on ${first}` })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await fillIn(page, first);
  await dialog.getByRole("button", { name: "Connect and send a test" }).click();
  await dialog.getByText("Accepted by the provider").waitFor();
  await page.keyboard.press("Escape");
  await cardOf(page, first).getByText("Active", { exact: true }).waitFor();
  expect([violations, errors]).toEqual([[], []]);
  await close();
}, 300_000);
