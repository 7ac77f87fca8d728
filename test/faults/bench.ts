// Shared by the scripts with several processes: a database server, a mail server, and processes of the product that use
// them.
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { codeIn, signIn } from "../e2e/api.ts";
import { type Product, removeDirectory, startProduct } from "../e2e/product.ts";
import { createDatabase, type PostgresServer, startPostgresServer } from "../support/postgres_server.ts";
import { type SmtpPeer, startSmtpPeer } from "../support/smtp_peer.ts";

/** The result of a goal; `figure` must stay within `bound`. */
export type Finding = { goal: string; what: string; figure: number; bound: number; pass: boolean };

export function atMost(goal: string, what: string, figure: number, bound: number): Finding {
  return { goal, what, figure: Math.round(figure * 100) / 100, bound, pass: figure <= bound };
}

export function atLeast(goal: string, what: string, figure: number, bound: number): Finding {
  return { goal, what, figure: Math.round(figure * 100) / 100, bound, pass: figure >= bound };
}

/** One JSON line each; the exit code says whether all goals are met. */
export async function tell(work: Promise<Finding[]>): Promise<void> {
  for (const finding of await work) {
    console.log(JSON.stringify(finding));
    if (!finding.pass) process.exitCode = 1;
  }
  process.exit();
}

/** For the script's own database queries: on a busy machine they wait, and are not judged. */
export const PATIENT = { deadlineMs: 60_000, startMs: 60_000 };

export type Bench = {
  server: PostgresServer;
  database: string;
  smtp: SmtpPeer;
  env: Record<string, string>;
  start(more?: Record<string, string>): Promise<Product>;
  close(): Promise<void>;
};

export async function openBench(): Promise<Bench> {
  const [server, smtp] = await Promise.all([startPostgresServer(), startSmtpPeer()]);
  const database = await createDatabase(server.url);
  const products: Product[] = [];
  const env = {
    DATABASE_URL: database,
    SMTP_URL: smtp.url,
    MAIL_FROM: "alerts@breachbell.example",
    BREACH_SOURCE: "bundled",
    APP_SECRET: "one secret for every process on this database",
    STOP_GRACE_SECONDS: "1",
    LOG_LEVEL: "warn",
  };
  return {
    server,
    database,
    smtp,
    env,
    async start(more = {}) {
      const product = await startProduct({ ...env, ...more });
      products.push(product);
      return product;
    },
    async close() {
      await Promise.all(products.map((product) => product.kill()));
      for (const { dataDir } of products) removeDirectory(dataDir);
      await smtp.close();
      await server.stop();
    },
  };
}

/** A logged-in account, by the code that was mailed. */
export function signedIn({ smtp }: Pick<Bench, "smtp">, url: string, email: string) {
  return signIn(url, email, async () => {
    const mail = smtp.received.findLast(({ to, mail }) => to.includes(email) && /\b\d{6}\b/.test(mail.text ?? ""));
    return mail?.mail.text && codeIn(mail.mail.text);
  });
}

/** Seconds until `probe` returns true, polling often; and the longest single poll. */
export async function secondsUntil(
  probe: () => Promise<boolean>,
  withinMs: number,
): Promise<{ seconds: number; slowest: number }> {
  const from = performance.now();
  let slowest = 0;
  for (;;) {
    const began = performance.now();
    const is = await probe();
    slowest = Math.max(slowest, (performance.now() - began) / 1000);
    if (is) return { seconds: (performance.now() - from) / 1000, slowest };
    if (performance.now() - from > withinMs) return { seconds: Number.POSITIVE_INFINITY, slowest };
    await Bun.sleep(50);
  }
}

export const statusOf = (url: string, init: RequestInit = {}): Promise<number> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(15_000) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 0,
  );

/** A proxy that distributes requests to the processes that report themselves as ready; it retries nothing. */
export async function startRoundRobin(checkEveryMs = 100) {
  const backends = new Map<string, { url: string; isReady: boolean }>();
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const ready = [...backends.values()].filter(({ isReady }) => isReady);
    const chosen = ready[turn++ % Math.max(1, ready.length)];
    const refuse = () => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    };
    if (!chosen) return refuse();
    const { hostname, port } = new URL(chosen.url);
    const { method = "GET", url: path = "/", headers } = incoming;
    const upstream = httpRequest({ host: hostname, port, method, path, headers }, (answer) => {
      const { connection: _, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(outgoing);
    });
    upstream.on("error", refuse);
    incoming.pipe(upstream);
  });
  const timer = setInterval(() => {
    for (const backend of backends.values())
      void statusOf(`${backend.url}/readyz`).then((status) => {
        backend.isReady = status === 200;
      });
  }, checkEveryMs);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    add: (url: string) => void backends.set(url, { url, isReady: true }),
    remove: (url: string) => void backends.delete(url),
    async close() {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
    },
  };
}
