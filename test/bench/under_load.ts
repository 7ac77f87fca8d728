import { sql } from "drizzle-orm";
import { eventually, removeDirectory, startProduct, temporaryDirectory } from "../e2e/product.ts";
import { openCrowd } from "./crowd.ts";
import { median, round, spreadOf, tell } from "./figures.ts";
import { spawnSink } from "./mail_sink.ts";
import { spawnPeer } from "./peer.ts";
import { askGuard, cookieOf } from "./signed_in.ts";

const BOUND_MS = { postgres: 60, pglite: 120 };
const ROUNDS = 5;

/**
 * How long pages wait for the session check of each navigation while everybody is checked and notified; against an idle
 * product.
 */
export async function underLoad(databaseUrl: string | undefined, people: number, requests: number): Promise<void> {
  const place = temporaryDirectory();
  const env = { BILLING: "off", LOG_LEVEL: "warn", ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  await (await openCrowd(databaseUrl, people, {}, place)).close({ keep: true });

  const idle = await startProduct({ ...env, BREACH_SOURCE: "dataset" }, place);
  const cookie = await cookieOf(idle.url);
  await askGuard(idle.url, cookie, requests);
  const calm: number[] = [];
  for (let turn = 0; turn < ROUNDS; turn++) calm.push((await askGuard(idle.url, cookie, requests)).p99);
  await idle.stop();

  // Everybody is due at a source that responds immediately, and a fourth is notified through a mail server that accepts
  // everything.
  const crowd = await openCrowd(databaseUrl, 0, {}, place);
  await crowd.ask(
    sql`insert into breaches.scan (address, source, due_at) select address, 'hibp', now() from breaches.watch`,
  );
  await crowd.close({ keep: true });
  const [peer, sink] = [await spawnPeer(people), await spawnSink()];
  const busy = await startProduct(
    {
      ...env,
      BREACH_SOURCE: "hibp",
      HIBP_BASE_URL: peer.url,
      HIBP_API_KEY: peer.apiKey,
      SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      MAIL_FROM: "alerts@breachbell.example",
      LOGOS_BASE_URL: "off",
    },
    place,
  );
  const mails = async () => (await sink.accepted()).count;
  await eventually("the first mail left", async () => (await mails()) > 0 || undefined);
  const loaded: number[] = [];
  const from = await mails();
  for (let turn = 0; turn < ROUNDS; turn++) {
    const before = await mails();
    loaded.push((await askGuard(busy.url, cookie, requests)).p99);
    if ((await mails()) === before) throw new Error("There was nothing to bear any more: it needs more people");
  }
  const sent = (await mails()) - from;
  await busy.kill();
  await Promise.all([peer.stop(), sink.stop()]);
  removeDirectory(place);

  const database = databaseUrl ? "postgres" : "pglite";
  const figure = median(loaded);
  tell({
    line: "under-load",
    database,
    people,
    p99_ms: round(figure, 1),
    spread: round(spreadOf(loaded)),
    idle_p99_ms: round(median(calm), 1),
    mails: sent,
    bound_ms: BOUND_MS[database],
    pass: figure <= BOUND_MS[database],
  });
}
