import { request } from "node:http";
import { allOperations } from "../../src/http/operations.ts";
import { apiClient, codeIn, mailbox, signIn } from "../e2e/api.ts";
import { eventually, type Product, removeDirectory, startProduct } from "../e2e/product.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import { rawRequest } from "./links.ts";
import { count, person, type Target, tracked } from "./target.ts";

const WRONG = "Wr0ng-Harbour-42";

/** A request with headers that `fetch` does not send. */
function plainRequest(url: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const sent = request(url, { headers }, (answer) => {
    let text = "";
    answer.on("data", (bytes) => {
      text += bytes;
    });
    answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
  });
  sent.on("error", reject).end();
  return promise;
}

const FORWARDED = [
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-Forwarded-Proto",
  "Forwarded",
  "X-Real-IP",
  "Via",
  "CF-Connecting-IP",
];
const REBOUND = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.5", "[2001:db8::1]"];
const BAD_HOSTS = [
  "localhost/x",
  "user@localhost",
  "<localhost>",
  "localhost, evil.example",
  "localhost\r\nHost: evil.example",
];

/** Access to the development mailbox from elsewhere. */
async function openMailboxes({ url }: Product): Promise<Finding[]> {
  const host = new URL(url).host;
  const ways: Record<string, string>[] = [
    ...REBOUND.map((Host) => ({ Host })),
    ...FORWARDED.flatMap((name) =>
      ["127.0.0.1", "203.0.113.4:5000", "unknown"].map((value) => ({ Host: host, [name]: value })),
    ),
  ];
  const own = await plainRequest(`${url}/mailbox/messages`, { Host: host });
  const read = [];
  for (const headers of ways)
    for (const path of ["/mailbox", "/mailbox/messages"]) {
      const { status, text } = await plainRequest(`${url}${path}`, headers);
      if (status !== 404 || text.includes("@example")) read.push(headers);
    }
  const taken = [];
  for (const bad of BAD_HOSTS) {
    const said = await rawRequest(
      { products: [{ url }] },
      `GET /en/login HTTP/1.1\r\nHost: ${bad}\r\nConnection: close\r\n\r\n`,
    );
    if (!/^HTTP\/1\.1 400/.test(said)) taken.push(bad);
  }
  return [
    atLeast("S51", "ways to the mailbox on the machine itself", Number(own.status === 200), 1),
    atMost("S51", `ways to it from elsewhere, by forwarding headers and rebinding, of ${ways.length}`, read.length, 0),
    atMost("S51", `hosts that can be read in two ways and are taken, of ${BAD_HOSTS.length}`, taken.length, 0),
  ];
}

/** The responses to a webhook in the private network and to one that does not exist. */
async function internalNames({ url }: Product): Promise<Finding[]> {
  const email = "s51-webhook@example.net";
  const client = await signIn(url, email, async () => {
    const mail = (await mailbox(url)).find(({ to, text }) => to.includes(email) && /\b\d{6}\b/.test(text));
    return mail && codeIn(mail.text);
  });
  const names = ["https://localhost/hook", "https://no-such-name.invalid/hook"];
  const body = { ...tracked(email, true, email), contacts: { email: [email], webhook: names } };
  await client.call("POST", "/api/associations", body);
  type Contact = { id: string; value: string };
  const contacts = await eventually("the webhooks", async () => {
    const { items } = (await (await client.call("GET", "/api/contacts")).json()) as { items: Contact[] };
    const found = items.filter(({ value }) => names.includes(value));
    return found.length === names.length ? found : undefined;
  });
  const contactIds = contacts.map(({ id }) => id);
  type Row = { id: string; contactId: string; state: string; reason: string | null; detail: string | null };
  const rowsOf = async (answer: Response) => ((await answer.json()) as { items: Row[] }).items;
  const tests = await rowsOf(await client.call("POST", "/api/test-alerts", { contactIds }));
  const ids = tests.map(({ id }) => id).join();
  const told = await eventually("what became of the tests", async () => {
    const rows = await rowsOf(await client.call("GET", `/api/test-alerts?ids=${ids}`));
    const isOver = rows.length === names.length && rows.every(({ state }) => !["queued", "sending"].includes(state));
    return isOver ? rows.map(({ state, reason, detail }) => `${state} ${reason} ${detail}`) : undefined;
  });
  return [atMost("S51", "webhooks whose refusal tells whether a name exists here", new Set(told).size - 1, 0)];
}

/** Locks with a client address from the proxy that has a port, or cannot be parsed. */
async function readHops(target: Target): Promise<Finding[]> {
  const login = async (forwarded: string | undefined, email: string, process = 0) => {
    const headers = { "X-Forwarded-For": forwarded ?? "" };
    const { code } = await target
      .browser()
      .call("POST", "/api/login", { body: { email, password: WRONG }, headers, process });
    return code === "LOCKED";
  };
  let people = 0;
  const nobody = () => `s51-nobody-${people++}@example.net`;
  /** Ten wrong passwords of a client, then one from each of these. */
  const after = async (hop: (at: number) => string, ...others: (string | undefined)[]) => {
    for (let at = 0; at < 10; at++) await login(hop(at), nobody(), at);
    const locked = [];
    for (const other of others) locked.push(await login(other, nobody()));
    return locked;
  };
  const v4 = await after(
    (at) => `198.51.100.7:${51_234 + at}`,
    "198.51.100.7:60000",
    "198.51.100.7",
    "198.51.100.8:51234",
    "",
  );
  const v6 = await after(
    (at) => `[2001:db8:7::7]:${443 + at}`,
    "[2001:db8:7::7]:9",
    "2001:db8:7::7",
    "[2001:db8:8::7]:443",
    "",
  );
  const unread = await after(() => "unknown", "", "198.51.100.9:1", "198.51.100.9");
  const right = [...v4.slice(0, 2), ...v6.slice(0, 2)];
  const wrong = [...v4.slice(2), ...v6.slice(2), ...unread];
  return [
    atLeast("S51", "spellings of one client with a port that share its lock", count(right, Boolean), 4),
    atMost(
      "S51",
      "others whom a client with a port, or with an unreadable address, locks out",
      count(wrong, Boolean),
      0,
    ),
  ];
}

/** GETs of every route, as a page of a sibling site could make a browser send them. */
async function silentReads(target: Target): Promise<Finding[]> {
  const alice = await person(target, "s51@example.net");
  const rows = async () => {
    const [row] = await target.sql`select
      (select count(*)::int from identity.audit_events where account_id = ${alice.id}) as events,
      (select count(*)::int from identity.staff_acts) as acts,
      (select count(*)::int from notifications.delivery where account_id = ${alice.id}) as mails`;
    return JSON.stringify(row);
  };
  const before = await rows();
  const paths = new Set(allOperations().map(([route]) => route.split(" ")[1] ?? ""));
  for (const pattern of paths) {
    const path = pattern.replaceAll(/:\w+/g, "00000000-0000-4000-8000-000000000000");
    await alice.call("GET", path, {
      headers: { "Sec-Fetch-Site": "same-site", Origin: "https://other.breachbell.example" },
    });
  }
  return [
    atLeast("S51", "paths that are read", paths.size, 100),
    atMost("S51", "records that reading them has made", Number((await rows()) !== before), 0),
  ];
}

/** S51: local services stay local, and clients are told apart. */
export async function localOnly(target: Target): Promise<Finding[]> {
  const product = await startProduct({ WEBHOOKS: "on" });
  try {
    await apiClient(product.url).call("POST", "/api/forgot-password", { email: "s51@example.org" });
    return [
      ...(await openMailboxes(product)),
      ...(await internalNames(product)),
      ...(await readHops(target)),
      ...(await silentReads(target)),
    ];
  } finally {
    await product.kill();
    removeDirectory(product.dataDir);
  }
}
