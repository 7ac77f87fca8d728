// R4: a database that is restarted repeatedly during checks, messages and web load.
//   RESTARTS=20 SEED=7 bun test/faults/restarts.ts
import { eventually, figureOf } from "../e2e/product.ts";
import { atMost, type Finding, openBench, secondsUntil, signedIn, statusOf, tell } from "./bench.ts";
import { randomOf } from "./scan_kills.ts";

const WORKERS = 4;
const EMAIL = "grace@example.com";

type Pooler = { url: string; stop(): Promise<void> };

export async function restarts(
  count: number,
  seed: number,
  startPooler?: (url: string) => Promise<Pooler>,
): Promise<Finding[]> {
  const random = randomOf(seed);
  const bench = await openBench();
  const pooler = await startPooler?.(bench.database);
  const product = await bench.start(pooler && { DATABASE_URL: pooler.url });
  const client = await signedIn(bench, product.url, EMAIL);
  await client.call("POST", "/api/associations", {
    address: EMAIL,
    owner: true,
    language: "en",
    contacts: { email: [EMAIL] },
  });
  const headers = { Cookie: client.cookie(), Origin: product.url, "Content-Type": "application/json" };
  const seen = { slowest: 0, unanswered: 0, strange: [] as number[], accepted: 0 };
  let isOver = false;

  async function browse(): Promise<void> {
    while (!isOver) {
      const from = performance.now();
      const status = await statusOf(`${product.url}/api/associations`, { headers });
      seen.slowest = Math.max(seen.slowest, (performance.now() - from) / 1000);
      if (status === 0) seen.unanswered += 1;
      else if (![200, 503].includes(status)) seen.strange.push(status);
      await Bun.sleep(5);
    }
  }
  /** Each mail that the product has accepted must arrive. */
  async function write(): Promise<void> {
    for (let number = 0; !isOver; number++) {
      const [email, password] = [`person${number}@example.org`, "Tranquil-Harbour-42"];
      const names = { firstName: "Ada", lastName: "Meyer", language: "en", terms: true };
      const status = await statusOf(`${product.url}/api/support/tickets`, {
        method: "POST",
        headers,
        body: JSON.stringify({ ...names, email, password, subject: `Ticket ${number}`, message: "A text" }),
      });
      if (status === 0) seen.unanswered += 1;
      await Bun.sleep(20);
    }
  }
  const load = [...Array.from({ length: WORKERS }, browse), write()];
  let slowestBack = 0;
  for (let restart = 0; restart < count; restart++) {
    await Bun.sleep(500 + random() * 1000);
    await bench.server.restart(random() < 0.5 ? "immediate" : "fast");
    const back = await secondsUntil(
      async () => (await statusOf(`${product.url}/api/associations`, { headers })) === 200,
      30_000,
    );
    slowestBack = Math.max(slowestBack, back.seconds);
  }
  isOver = true;
  await Promise.all(load);
  // Work started before and meanwhile is finished.
  await eventually(
    "the report arrives",
    () => bench.smtp.received.some(({ mail }) => mail.text?.includes("Gravatar")) || undefined,
    120_000,
  );
  await eventually(
    "nothing waits",
    async () => {
      const due = await figureOf(product.url, 'breachbell_deliveries{state="due"}');
      return (due === 0 && (await figureOf(product.url, "breachbell_events_waiting")) === 0) || undefined;
    },
    120_000,
  );
  const dead = (await figureOf(product.url, 'breachbell_deliveries{state="dead"}')) ?? Number.NaN;
  const reports = bench.smtp.received.filter(({ mail }) => mail.text?.includes("Gravatar")).length;
  const inDoubt = (await figureOf(product.url, 'breachbell_deliveries{state="in_doubt"}')) ?? 0;
  const uncaught = product.output().match(/Unhandled rejection|Uncaught/g)?.length ?? 0;
  const code = await product.stop();
  await pooler?.stop();
  await bench.close();
  if (seen.strange.length > 0) console.error(`Answers: ${[...new Set(seen.strange)].join(", ")}`);
  return [
    atMost("R4", `restarts: ${count}, seed ${seed}; exit code of the one process`, code, 0),
    atMost("R4", "uncaught errors", uncaught, 0),
    atMost("R4", "slowest request, seconds", seen.slowest, 10),
    atMost("R4", "requests without an answer", seen.unanswered, 0),
    atMost("R4", "answers that are neither 200 nor 503", seen.strange.length, 0),
    atMost("R4", "back after seconds", slowestBack, 10),
    atMost("R4", "lost messages", dead + (reports === 0 ? 1 : 0), 0),
    atMost("R4", "reports beyond one that are not in doubt", Math.max(0, reports - 1 - inDoubt), 0),
  ];
}

if (import.meta.main) await tell(restarts(Number(process.env.RESTARTS ?? 20), Number(process.env.SEED ?? 1)));
