import postgres from "postgres";
import { keysOf } from "../../src/runtime/crypto.ts";
import { PASSWORD } from "../e2e/api.ts";
import { eventually, nothingWaits, type Product, removeDirectory, startProduct } from "../e2e/product.ts";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";
import { type ReceivedMail, type SmtpPeer, startSmtpPeer } from "../support/smtp_peer.ts";

/** As users access it: by https, through a proxy on this machine that both processes trust. */
export const PUBLIC_URL = "https://breachbell.example";
const SECRET = "one secret for every process on this database";
const { mac } = keysOf(SECRET);
const SEEN_MAX = 50_000;

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  /** The code of a failure. */
  code: string;
  data: Record<string, unknown>;
};
export type Sent = {
  body?: unknown;
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  process?: number;
};
export type Call = (method: string, path: string, sent?: Sent) => Promise<Answer>;
/** A browser: its cookies, its network address, and our pages that are open in it. */
export type Browser = { call: Call; cookies: Map<string, string>; ip: string };
export type Person = Browser & { email: string; id: string };

/** The target: two processes on one Postgres, with a mail server. */
export type Target = {
  products: Product[];
  sql: postgres.Sql;
  smtp: SmtpPeer;
  env: Record<string, string>;
  /** Every response so far, at most `SEEN_MAX`: requirements for all responses are checked at the end. */
  seen: { route: string; status: number; headers: Headers }[];
  /** Every secret that was used or generated. */
  secrets: Set<string>;
  browser(cookies?: Map<string, string>): Browser;
  close(): Promise<void>;
};

let hosts = 0;
/** A different network address each time, as reported by the proxy. */
export const nextIp = (): string => {
  hosts += 1;
  return `10.${(hosts >> 16) & 255}.${(hosts >> 8) & 255}.${hosts & 255}`;
};

function keepCookies(jar: Map<string, string>, headers: Headers, secrets: Set<string>): void {
  for (const set of headers.getSetCookie()) {
    const [pair = ""] = set.split(";");
    const at = pair.indexOf("=");
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === "") jar.delete(name);
    else jar.set(name, value);
    if (value.length >= 32) secrets.add(value);
  }
}

const dataOf = (text: string): Record<string, unknown> => {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

export async function openTarget(): Promise<Target> {
  const smtp = await startSmtpPeer();
  const database = await createDatabase(await sharedPostgresUrl());
  const env = {
    DATABASE_URL: database,
    SMTP_URL: smtp.url,
    MAIL_FROM: "alerts@breachbell.example",
    BREACH_SOURCE: "bundled",
    APP_SECRET: SECRET,
    PUBLIC_URL,
    TRUST_PROXY: "loopback",
    LOG_LEVEL: "debug",
    SUPPORT_EMAIL: "help@example.org",
  };
  const products = await Promise.all([startProduct(env), startProduct(env)]);
  const sql = postgres(database, { max: 2, onnotice: () => {} });
  const seen: Target["seen"] = [];
  const secrets = new Set<string>([SECRET, PASSWORD]);

  function browser(cookies = new Map<string, string>()): Browser {
    const ip = nextIp();
    const call: Call = async (method, path, { body, raw, headers = {}, process: index = 0 } = {}) => {
      const isSent = body !== undefined || raw !== undefined || method === "POST" || method === "PUT";
      const answer = await fetch(`${products[index % products.length]?.url}${path}`, {
        method,
        redirect: "manual",
        headers: {
          Origin: PUBLIC_URL,
          "Sec-Fetch-Site": "same-origin",
          "X-Forwarded-For": ip,
          ...(cookies.size > 0 && { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
          ...(isSent && { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(isSent && { body: raw ?? JSON.stringify(body ?? {}) }),
        signal: AbortSignal.timeout(60_000),
      });
      keepCookies(cookies, answer.headers, secrets);
      const text = await answer.text();
      const data = dataOf(text);
      if (seen.length < SEEN_MAX)
        seen.push({ route: `${method} ${path}`, status: answer.status, headers: answer.headers });
      return { status: answer.status, headers: answer.headers, text, data, code: String(data.code ?? "") };
    };
    return { call, cookies, ip };
  }

  return {
    products,
    sql,
    smtp,
    env,
    seen,
    secrets,
    browser,
    async close() {
      await sql.end();
      await Promise.all(products.map((product) => product.kill()));
      for (const { dataDir } of products) removeDirectory(dataDir);
      await smtp.close();
    },
  };
}

/** Other attacks send mails by the hundred and requests by the thousand: how soon one arrives is for the fault set. */
const MAIL_MS = 120_000;

/** The newest matching mail to a recipient, once it has arrived; among those from `from` on. */
export function mailTo({ smtp }: Target, email: string, fits: RegExp, from = 0): Promise<ReceivedMail> {
  const fitting = () =>
    smtp.received.slice(from).findLast(({ to, mail }) => to.includes(email) && fits.test(mail.text ?? ""));
  return eventually(`a mail to ${email} with ${fits}`, fitting, MAIL_MS);
}

/** When nothing is pending any more, including work of concurrent attacks. */
export const allQuiet = ({ products }: Target): Promise<true> => nothingWaits(products[0]?.url ?? "", MAIL_MS);

export const tokenIn = ({ mail }: ReceivedMail): string => /[#?]t=([\w.-]{16,})/.exec(mail.text ?? "")?.[1] ?? "";

export const registration = (email: string, password = PASSWORD) => ({
  firstName: "Alice",
  lastName: "Meyer",
  language: "en",
  terms: true,
  email,
  password,
  confirmPassword: password,
});

export async function register(target: Target, email: string, password = PASSWORD): Promise<void> {
  const { status, text } = await target
    .browser()
    .call("POST", "/api/register", { body: registration(email, password) });
  if (status !== 201) throw new Error(`Cannot register ${email}: ${text}`);
  target.secrets.add(password);
}

/** A partial session: the password is correct, and the code is being mailed or in `code`. */
export async function halfWay(target: Target, email: string, password = PASSWORD): Promise<Browser & { code: string }> {
  const browser = target.browser();
  const { status, text } = await browser.call("POST", "/api/login", { body: { email, password } });
  if (status !== 200) throw new Error(`Cannot sign in ${email}: ${text}`);
  // The valid code: it may have been mailed for this log-in, or just before for another one.
  const [challenge] = await target.sql`select c.id, c.mac from identity.login_codes c
    join identity.users u on u.id = c.account_id where u.email = ${email}`;
  const isGood = (code: string) => mac("login-code", `${challenge?.id}:${code}`) === challenge?.mac;
  const code = await eventually(`the code for ${email}`, () =>
    target.smtp.received
      .filter(({ to }) => to.includes(email))
      .flatMap(({ mail }) => mail.text?.match(/\b\d{6}\b/g) ?? [])
      .find(isGood),
  );
  return { ...browser, code };
}

/** A logged-in account whose password was just typed. */
export async function person(target: Target, email: string): Promise<Person> {
  await register(target, email);
  const browser = await halfWay(target, email);
  const { status, text } = await browser.call("POST", "/api/verify-code", { body: { code: browser.code } });
  if (status !== 200) throw new Error(`Cannot verify ${email}: ${text}`);
  const [row] = await target.sql`select id from identity.users where email = ${email}`;
  return { ...browser, email, id: String(row?.id) };
}

export const tracked = (address: string, owner: boolean, contact: string) => ({
  address,
  owner,
  language: "en",
  contacts: { email: [contact] },
});

/** How many of them match. */
export const count = <T>(list: readonly T[], is: (one: T) => boolean): number => list.filter(is).length;
