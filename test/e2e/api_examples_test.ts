import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { API_SCOPES } from "../../src/shared/api_scopes.ts";
import { type Client, codeIn, mailbox, PASSWORD, signIn } from "./api.ts";
import { eventually, type Product, removeDirectory, startProduct, temporaryDirectory } from "./product.ts";

type Sample = { lang: "Shell" | "TypeScript"; label: string; source: string };
type Operation = { operationId: string; "x-codeSamples"?: Sample[] };
type Document = Record<"paths" | "webhooks", Record<string, Record<string, Operation>>>;

const ADA = "ada@example.com";
const SECRET = `whsec_${Buffer.from("a secret of thirty-two characters").toString("base64")}`;

const directory = temporaryDirectory();
let product: Product;
let person: Client;
let token: string;
let samples: Map<string, Sample[]>;

async function pendingAlerts() {
  const answer = await person.call("GET", "/api/alerts?state=pending");
  return ((await answer.json()) as { items: { id: string; version: number; address: string }[] }).items;
}

beforeAll(async () => {
  product = await startProduct({ WEBHOOKS: "on" });
  const { url } = product;
  person = await signIn(url, ADA, async () => {
    const mail = (await mailbox(url)).find(({ to, text }) => to.includes(ADA) && /\b\d{6}\b/.test(text));
    return mail && codeIn(mail.text);
  });
  await person.call("POST", "/api/confirm-password", { password: PASSWORD });
  const contacts = { email: [ADA] };
  await person.call("POST", "/api/associations", { address: ADA, owner: true, language: "en", contacts });
  await eventually("the first check is done and counted", async () => {
    const { items } = (await (await person.call("GET", "/api/associations")).json()) as { items: { status: string }[] };
    return items.some(({ status }) => status === "breached") || undefined;
  });
  const made = await person.call("POST", "/api/tokens", { name: "Examples", scopes: API_SCOPES, days: 30 });
  token = ((await made.json()) as { token: string }).token;
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as Document;
  const operations = [document.paths, document.webhooks].flatMap((part) => Object.values(part).flatMap(Object.values));
  samples = new Map(operations.map((one: Operation) => [one.operationId, one["x-codeSamples"] ?? []]));
}, 120_000);

afterAll(async () => {
  await product?.stop();
  if (product) removeDirectory(product.dataDir);
  removeDirectory(directory);
});

function sampleOf(operation: string, lang: Sample["lang"]): string {
  const found = samples.get(operation)?.find((sample) => sample.lang === lang);
  if (!found) throw new Error(`There is no example of ${operation} in ${lang}`);
  return found.source;
}

/** Runs an example as a reader would who has set the two variables. */
async function run(operation: string, lang: Sample["lang"], env: Record<string, string> = {}): Promise<string> {
  const file = join(directory, `${operation}.${lang === "Shell" ? "sh" : "ts"}`);
  writeFileSync(file, sampleOf(operation, lang));
  const command = lang === "Shell" ? ["sh", "-eu", file] : [process.execPath, file];
  const own = { PATH: process.env.PATH ?? "", HOME: directory };
  const running = Bun.spawn(command, {
    env: { ...own, BREACHBELL_URL: product.url, BREACHBELL_TOKEN: token, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [said, complained] = await Promise.all([
    new Response(running.stdout).text(),
    new Response(running.stderr).text(),
  ]);
  if ((await running.exited) !== 0) throw new Error(`${operation} in ${lang} failed: ${said}\n${complained}`);
  return said;
}

describe("the examples of the reference", () => {
  test("list the addresses", async () => {
    expect(JSON.parse(await run("listAddresses", "Shell"))).toMatchObject({ total: 1, items: [{ address: ADA }] });
    expect(await run("listAddresses", "TypeScript")).toMatch(/^ada@example\.com breached \d+\n$/);
  }, 30_000);

  test("list the pending alerts", async () => {
    const pending = await pendingAlerts();
    const { items } = JSON.parse(await run("listAlerts", "Shell")) as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).toEqual(pending.map(({ id }) => id));
    const lines = (await run("listAlerts", "TypeScript")).trim().split("\n");
    expect(lines.map((line) => line.split(" ")[0] ?? "")).toEqual(pending.map(({ id }) => id));
  }, 30_000);

  test("read the events to their end", async () => {
    const lines = (await run("listEvents", "Shell")).trim().split("\n");
    const events = lines.map((line) => JSON.parse(line) as { time: string; type: string; address: string });
    expect(events.length).toBeGreaterThan(1);
    expect(events[0]).toMatchObject({ type: "alert.raised", address: ADA, baseline: true });
    const printed = (await run("listEvents", "TypeScript")).trim().split("\n");
    expect(printed).toEqual(events.map(({ time, type, address }) => `${time} ${type} ${address}`));
  }, 30_000);

  test("mark one as handled", async () => {
    const [first, second] = await pendingAlerts();
    if (!first || !second) throw new Error("Two pending alerts are needed");
    const env = { ALERT_ID: first.id, ALERT_VERSION: String(first.version) };
    const handled = JSON.parse(await run("handleAlert", "Shell", env));
    expect(handled).toMatchObject({ id: first.id, state: "handled", note: "Password changed" });
    expect(await run("handleAlert", "TypeScript")).toStartWith(`${second.id} handled `);
    const left = (await pendingAlerts()).map(({ id }) => id);
    expect(left).not.toContain(first.id);
    expect(left).not.toContain(second.id);
  }, 30_000);

  test("add an address", async () => {
    expect(JSON.parse(await run("addAddress", "Shell"))).toMatchObject({ state: "pending" });
    expect(await run("addAddress", "TypeScript")).toMatch(/^[\w-]{36} pending\n$/);
    // Requested once the event of the address has been processed.
    await eventually("both are asked", async () => {
      const { items } = (await (await person.call("GET", "/api/invitations/sent")).json()) as {
        items: { address: string }[];
      };
      return (
        items
          .map(({ address }) => address)
          .toSorted()
          .join() === "alan@example.com,grace@example.com" || undefined
      );
    });
  }, 30_000);

  test("read the status, without a token", async () => {
    const env = { BREACHBELL_TOKEN: "" };
    expect(JSON.parse(await run("getServiceStatus", "Shell", env))).toMatchObject({ state: expect.any(String) });
    expect(await run("getServiceStatus", "TypeScript", env)).toMatch(/^(well|impaired)\nbundled \w+\n/);
  }, 30_000);

  test("show what went wrong", async () => {
    const refused = run("listAlerts", "TypeScript", { BREACHBELL_TOKEN: token.slice(0, -1) });
    expect(refused).rejects.toThrow('401: {"code":"TOKEN_INVALID"}');
    await refused.catch(() => undefined);
    const failed = run("listAlerts", "Shell", { BREACHBELL_TOKEN: "" });
    expect(failed).rejects.toThrow("TOKEN_INVALID");
    await failed.catch(() => undefined);
  }, 30_000);

  test("distinguish a genuine webhook from a forged, a modified and an old one", async () => {
    const file = join(directory, "verify.ts");
    writeFileSync(file, sampleOf("receiveMessage", "TypeScript"));
    const { verify } = (await import(file)) as { verify(secret: string, headers: Headers, body: string): unknown };
    const body = JSON.stringify({ type: "alert", data: { id: "m1", title: "Größe" } });
    const signed = (at: number, secret = SECRET) => {
      const key = Buffer.from(secret.slice(6), "base64");
      const digest = createHmac("sha256", key).update(`m1.${at}.${body}`).digest("base64");
      return { id: "m1", timestamp: String(at), signature: `v1,AAAA v1,${digest}` };
    };
    const headersOf = ({ id, timestamp, signature }: ReturnType<typeof signed>) =>
      new Headers({ "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature });
    const now = Math.floor(Date.now() / 1000);
    const forged = signed(now, `whsec_${Buffer.from("another secret of 32 characters!").toString("base64")}`);
    expect(verify(SECRET, headersOf(signed(now)), body)).toEqual(JSON.parse(body));
    expect(() => verify(SECRET, headersOf(forged), body)).toThrow("Not signed");
    expect(() => verify(SECRET, headersOf(signed(now)), `${body} `)).toThrow("Not signed");
    expect(() => verify(SECRET, headersOf(signed(now - 301)), body)).toThrow("Too old");
    expect(() => verify(SECRET, new Headers(), body)).toThrow("Too old");

    const shellEnv = ({ id, timestamp, signature }: ReturnType<typeof signed>) => ({
      WEBHOOK_SECRET: SECRET,
      WEBHOOK_BODY: body,
      WEBHOOK_ID: id,
      WEBHOOK_TIMESTAMP: timestamp,
      WEBHOOK_SIGNATURE: signature,
    });
    expect(await run("receiveMessage", "Shell", shellEnv(signed(now)))).toBe("genuine\n");
    const refused = run("receiveMessage", "Shell", shellEnv(forged));
    expect(refused).rejects.toThrow("forged");
    await refused.catch(() => undefined);
  }, 30_000);

  test("leave no token behind: neither in the log nor in the database nor in a mail", async () => {
    expect(product.output()).not.toContain(token);
    expect(JSON.stringify(await mailbox(product.url))).not.toContain(token);
    const files = readdirSync(product.dataDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.length).toBeGreaterThan(10);
    const holding = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(token));
    expect(holding.map(({ name }) => name)).toEqual([]);
  });
});
