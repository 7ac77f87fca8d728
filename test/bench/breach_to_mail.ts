import { sql } from "drizzle-orm";
import { createTransport } from "nodemailer";
import PostalMime from "postal-mime";
import { eventually } from "../e2e/product.ts";
import { type Crowd, openCrowd } from "./crowd.ts";
import { timed } from "./engine.ts";
import { type Pair, report } from "./load.ts";
import { type Sink, spawnSink } from "./mail_sink.ts";

const ROUNDS = 3;
const BOUNDS = { postgres: { share: 0.5, rate: 260 }, pglite: { share: 0.3, rate: 260 } };
const WITHIN_MS = 20 * 60_000;
/** The headers that nodemailer generates itself. */
const OWN = [
  "from",
  "to",
  "subject",
  "message-id",
  "date",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
];

/** The last mail that the sink accepted, as input for nodemailer. */
async function messageOf(raw: string) {
  const { subject = "", text = "", html = "", headers, from } = await PostalMime.parse(raw);
  const more = headers.flatMap(({ key, value }) => (OWN.includes(key) ? [] : [{ key, value }]));
  return { from: from?.address ?? "", subject, text, html, headers: more };
}

/** The given number of mails through nodemailer's pool, and nothing else. */
async function sendBare(port: number, message: Awaited<ReturnType<typeof messageOf>>, count: number): Promise<void> {
  const pool = createTransport({ host: "127.0.0.1", port, pool: true, ignoreTLS: true });
  const to = (number: number) => `person${number}@example.org`;
  await Promise.all(Array.from({ length: count }, (_, number) => pool.sendMail({ ...message, to: to(number) })));
  pool.close();
}

/** Polls the mail server first, as counting in a large table costs the database more than the measured work. */
async function tellAll(crowd: Crowd, sink: Sink, { mails, marked }: { mails: number; marked: number }): Promise<void> {
  const runner = crowd.work();
  const accepted = async () => (await sink.accepted()).count >= mails || undefined;
  await eventually("every mail is accepted", accepted, WITHIN_MS);
  const sent = sql`select count(*) from notifications.delivery where state = 'sent'`;
  await eventually("every mail is marked", async () => (await crowd.count(sent)) >= marked || undefined, WITHIN_MS);
  await runner.stop();
}

/**
 * Publishes a breach that affects a tenth of all people: until the last mail is accepted and recorded, against
 * nodemailer alone.
 */
export async function breachToMail(databaseUrl: string | undefined, concerned: number): Promise<void> {
  const addresses = concerned * 10;
  const sink = await spawnSink();
  const crowd = await openCrowd(databaseUrl, addresses, { SMTP_URL: `smtp://127.0.0.1:${sink.port}` });
  const samples: Pair[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await crowd.publish(concerned);
    const before = (await sink.accepted()).count;
    const product = await timed(concerned, () =>
      tellAll(crowd, sink, { mails: before + concerned, marked: (round + 1) * concerned }),
    );
    const { count, last } = await sink.accepted();
    if (count - before !== concerned) throw new Error(`${count - before} mails instead of ${concerned}`);
    const message = await messageOf(last);
    samples.push({ product, raw: await timed(concerned, () => sendBare(sink.port, message, concerned)) });
  }
  await crowd.close();
  await sink.stop();
  const database = databaseUrl ? "postgres" : "pglite";
  report({ line: "breach-to-mail", database, addresses, concerned, bounds: BOUNDS[database] }, samples);
}
