import { afterAll, beforeAll, expect, test } from "bun:test";
import { apiClient, codeIn, mailbox, PASSWORD, signIn } from "./api.ts";
import { METRICS_TOKEN, type Product, removeDirectory, startProduct } from "./product.ts";

const EMAIL = "marked.reader@example.com";
const OTHER = "marked.watched@example.org";
const SECRET = "a secret of this installation, planted";
const planted = new Set([EMAIL, OTHER, PASSWORD, "marked.reader", "marked.watched", SECRET, METRICS_TOKEN]);
let product: Product;

beforeAll(async () => {
  product = await startProduct({ LOG_LEVEL: "debug", APP_SECRET: SECRET });
}, 60_000);
afterAll(async () => {
  await product?.stop();
  removeDirectory(product.dataDir);
});

/** The forms a value can have in a line: plain, URL-encoded, in base64, in hex. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
}

test("the debug log of a whole run contains no secret and no address", async () => {
  const { url } = product;
  const client = await signIn(url, EMAIL, async () => {
    const mail = (await mailbox(url)).find(({ to, subject }) => to.includes(EMAIL) && /code/i.test(subject));
    if (!mail) return undefined;
    planted.add(codeIn(mail.text));
    return codeIn(mail.text);
  });
  planted.add(client.cookie().split("=")[1] ?? "");
  const asked = await client.call("POST", "/api/associations", {
    address: OTHER,
    owner: false,
    language: "en",
    contacts: { email: [EMAIL] },
    expiry: "never",
  });
  await asked.arrayBuffer();
  const made = await client.call("POST", "/api/associations", {
    address: EMAIL,
    owner: true,
    language: "en",
    contacts: { email: [EMAIL] },
  });
  expect(made.status).toBe(201);
  // Malformed uses of valid values, which is how they get into logs.
  const stranger = apiClient(url);
  await stranger.call("POST", "/api/login", { email: OTHER, password: "Planted-Wrong-Password-1" });
  planted.add("Planted-Wrong-Password-1");
  await stranger.call("POST", "/api/reset-password", { token: "planted-token-in-a-body", password: PASSWORD });
  for (const path of [
    `/en/screen-track/${EMAIL}`,
    `/api/nothing/${EMAIL}?token=planted-token-in-a-query`,
    `/u/planted-token-in-a-path`,
  ])
    await (
      await fetch(`${url}${path}`, { headers: { Authorization: "Bearer planted-token-in-a-header" } })
    ).arrayBuffer();
  await fetch(`${url}/api/login`, {
    method: "POST",
    body: `{"email":"${EMAIL}","password":"${PASSWORD}"`,
    headers: { Origin: url, "Content-Type": "application/json" },
  });
  for (const place of ["a-body", "a-query", "a-path", "a-header"]) planted.add(`planted-token-in-${place}`);
  for (const { text } of await mailbox(url))
    for (const [, token = ""] of text.matchAll(/[#?](?:t|token)=([\w.-]{16,})/g)) planted.add(token);
  await product.stop();

  const output = product.output();
  expect(output.split("\n").filter((line) => line.includes('"message":"Request"')).length).toBeGreaterThan(8);
  expect(planted.size).toBeGreaterThan(11);
  const found = [...planted].filter((secret) => secret !== "" && formsOf(secret).some((form) => output.includes(form)));
  expect(found).toEqual([]);
}, 120_000);
