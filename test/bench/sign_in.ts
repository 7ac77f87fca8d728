import { sql } from "drizzle-orm";
import { PASSWORD } from "../e2e/api.ts";
import { startProduct } from "../e2e/product.ts";
import { openCrowd } from "./crowd.ts";
import { median, round, spreadOf, tell } from "./figures.ts";
import { spawnSink } from "./mail_sink.ts";
import type { Place } from "./population.ts";

const BOUND = { ratio: 0.5, p95Ms: 400 };
const ROUNDS = 5;
const CALLERS = 16;
/** The number of passwords that the product hashes concurrently. */
const HASHES_AT_ONCE = 2;
const PER_SECOND = 25;
const HASHING = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** The number of passwords this machine can hash per second with the product's parameters. */
async function hashesPerSecond(hash: string, count: number): Promise<number> {
  let left = count;
  const checker = async () => {
    while (left-- > 0) if (!(await Bun.password.verify(PASSWORD, hash))) throw new Error("The password is another one");
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: HASHES_AT_ONCE }, checker));
  return (count * 1000) / (performance.now() - started);
}

/**
 * Logging in with password and mailed code: the rate per second, against argon2id alone, and the wait for the two
 * responses at a given arrival rate. The time to read the mail is not included.
 */
export async function signIn({ databaseUrl, dataDir }: Place, perRound: number): Promise<void> {
  const hash = await Bun.password.hash(PASSWORD, HASHING);
  const crowd = await openCrowd(databaseUrl, (2 * ROUNDS + 1) * perRound, { BREACH_SOURCE: "bundled" }, dataDir);
  await crowd.ask(sql`update identity.users set password_hash = ${hash}`);
  await crowd.close({ keep: true });
  const sink = await spawnSink({ readsCodes: true });
  const product = await startProduct(
    {
      BILLING: "off",
      BREACH_SOURCE: "bundled",
      LOG_LEVEL: "warn",
      TRUST_PROXY: "loopback",
      SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      MAIL_FROM: "alerts@breachbell.example",
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
    dataDir,
  );

  /** Each from a different address. */
  async function post(person: number, path: string, body: unknown, cookie = "") {
    const from = `10.${person >> 16}.${(person >> 8) & 255}.${person & 255}`;
    const headers = {
      Origin: product.url,
      "Content-Type": "application/json",
      "X-Forwarded-For": from,
      Cookie: cookie,
    };
    const ask = () => fetch(product.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const started = performance.now();
    let answer = await ask();
    // Those told to retry later do, and their wait counts.
    for (; answer.status === 503; answer = await ask())
      await Bun.sleep(1000 * ((await answer.json()) as { retryAfter: number }).retryAfter);
    if (!answer.ok) throw new Error(`Cannot sign in: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    return { ms: performance.now() - started, cookie: answer.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
  }

  let next = 0;
  /** In milliseconds, both responses together. */
  async function signInNext(): Promise<number> {
    const person = next++;
    const email = `person${person}@example.org`;
    const login = await post(person, "/api/login", { email, password: PASSWORD });
    const code = await sink.codeTo(email);
    const verified = await post(person, "/api/verify-code", { code }, login.cookie);
    return login.ms + verified.ms;
  }
  async function signInsPerSecond(): Promise<number> {
    let left = perRound;
    const caller = async () => {
      while (left-- > 0) await signInNext();
    };
    const started = performance.now();
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return (perRound * 1000) / (performance.now() - started);
  }
  /** They arrive at their own times, however long the others take. */
  async function waits(): Promise<number[]> {
    const coming = Array.from({ length: perRound }, async (_, place) => {
      await Bun.sleep((place * 1000) / PER_SECOND);
      return signInNext();
    });
    return Promise.all(coming);
  }

  await signInsPerSecond();
  const rates: { product: number; raw: number }[] = [];
  const p95s: number[] = [];
  for (let turn = 0; turn < ROUNDS; turn++) {
    rates.push({ product: await signInsPerSecond(), raw: await hashesPerSecond(hash, perRound) });
    const times = (await waits()).toSorted((one, other) => one - other);
    p95s.push(times[Math.floor(times.length * 0.95)] ?? 0);
  }
  await product.stop();
  await sink.stop();
  const ratios = rates.map(({ product: ours, raw }) => ours / raw);
  const [figure, p95Ms] = [median(ratios), median(p95s)];
  tell({
    line: "sign-in",
    database: databaseUrl ? "postgres" : "pglite",
    rate: round(median(rates.map(({ product: ours }) => ours)), 1),
    raw: round(median(rates.map(({ raw }) => raw)), 1),
    figure: round(figure, 3),
    spread: round(spreadOf(ratios)),
    p95_ms: round(p95Ms, 1),
    p95_bound_ms: BOUND.p95Ms,
    bound: BOUND.ratio,
    pass: figure >= BOUND.ratio && p95Ms <= BOUND.p95Ms,
  });
}
