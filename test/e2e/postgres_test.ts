import { afterAll, beforeAll, expect, test } from "bun:test";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";
import { type SmtpPeer, startSmtpPeer } from "../support/smtp_peer.ts";
import { apiClient, codeIn, signIn } from "./api.ts";
import { eventually, figureOf, nothingWaits, type Product, removeDirectory, startProduct } from "./product.ts";

const EMAIL = "grace@example.com";
let smtp: SmtpPeer;
let products: Product[] = [];

beforeAll(async () => {
  smtp = await startSmtpPeer();
  const env = {
    DATABASE_URL: await createDatabase(await sharedPostgresUrl()),
    SMTP_URL: smtp.url,
    MAIL_FROM: "alerts@breachbell.example",
    BREACH_SOURCE: "bundled",
    APP_SECRET: "one secret for every process on this database",
  };
  // Both start with an empty database, and only one of them can migrate it.
  products = await Promise.all([startProduct(env), startProduct(env)]);
});
afterAll(async () => {
  const ended = await Promise.all(products.map((product) => product.stop()));
  await smtp?.close();
  for (const { dataDir } of products) removeDirectory(dataDir);
  expect(ended).toEqual([0, 0]);
});

test("two processes on one Postgres share sessions, and send one report for one address", async () => {
  const [first, second] = products;
  if (!first || !second) throw new Error("Cannot test without two processes");
  const client = await signIn(first.url, EMAIL, async () => {
    const mail = smtp.received.at(-1)?.mail.text;
    return mail && codeIn(mail);
  });
  const other = apiClient(second.url, client.cookie());
  expect(await (await other.call("GET", "/api/me")).json()).toMatchObject({ email: EMAIL });

  const body = { address: EMAIL, owner: true, language: "en", contacts: { email: [EMAIL] } };
  const tries = await Promise.all([
    client.call("POST", "/api/associations", body),
    other.call("POST", "/api/associations", body),
  ]);
  expect(tries.map(({ status }) => status).sort()).toEqual([201, 409]);

  const { items } = await eventually("the first check is done", async () => {
    const page = (await (await other.call("GET", "/api/associations")).json()) as {
      items: { status: string; pendingAlerts: number }[];
    };
    return page.items[0]?.status === "breached" ? page : undefined;
  });
  expect(items).toHaveLength(1);
  await eventually("the report arrives", () => smtp.received.find(({ mail }) => mail.text?.includes("Gravatar")));
  await nothingWaits(first.url);
  for (const state of ["in_doubt", "dead", "held"])
    expect(await figureOf(first.url, `breachbell_deliveries{state="${state}"}`)).toBe(0);
  expect(smtp.received.filter(({ mail }) => mail.text?.includes("Gravatar"))).toHaveLength(1);
});
