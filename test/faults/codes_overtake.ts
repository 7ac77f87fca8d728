// R13: log-in codes are sent quickly, however many mails are pending and however slow the mail server is.
//   MAILS=5000 CODES=40 bun test/faults/codes_overtake.ts
import { sql } from "drizzle-orm";
import { PASSWORD } from "../e2e/api.ts";
import { eventually } from "../e2e/product.ts";
import { atLeast, atMost, type Finding, tell } from "./bench.ts";
import { openNews, percentile } from "./news.ts";

/** So few that mails are still waiting at the end on a slow machine too. */
const MAILS_PER_SECOND = 2;
const BREACHES = 5;
const PAUSE_MS = 1000;

export async function codesOvertake(mails: number, codes: number): Promise<Finding[]> {
  const news = await openNews();
  const { bench } = news;
  const { url } = await bench.start({ ...news.source, SMTP_PER_SECOND: String(MAILS_PER_SECOND) });
  /** Each from a separate network, so that no limit applies. */
  const post = (path: string, number: number, body: object) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: {
        Origin: url,
        "Content-Type": "application/json",
        "X-Forwarded-For": `203.0.${number >> 8}.${number & 255}`,
      },
      body: JSON.stringify(body),
    });
  const members = Array.from({ length: codes }, (_, number) => `member${number}@example.org`);
  const names = { firstName: "Ada", lastName: "Meyer", language: "en", terms: true };
  for (const [number, email] of members.entries()) {
    const form = { ...names, email, password: PASSWORD, confirmPassword: PASSWORD };
    // A busy machine occasionally responds 503.
    await eventually(
      `${email} registers`,
      async () => (await post("/api/register", number, form)).status === 201 || undefined,
    );
  }
  const people = Array.from({ length: Math.ceil(mails / BREACHES) }, (_, number) => `person${number}@example.org`);
  await news.enrol(people);
  for (let breach = 0; breach < BREACHES; breach++) news.publish(`News${breach}`, people);
  await news.alerts("queued", mails);

  const seconds: number[] = [];
  for (const [number, email] of members.entries()) {
    const from = performance.now();
    await post("/api/login", number, { email, password: PASSWORD });
    const arrived = () =>
      bench.smtp.received.some(({ to, mail }) => to.includes(email) && /\b\d{6}\b/.test(mail.text ?? ""));
    await eventually("the code arrives", () => arrived() || undefined, 120_000);
    seconds.push((performance.now() - from) / 1000);
    await Bun.sleep(PAUSE_MS);
  }
  const waiting = await news.count(sql`select count(*) from notifications.delivery where state = 'due'`);
  await news.close();
  return [
    atLeast("R13", `mails that still waited behind ${codes} codes`, waiting, mails * 0.5),
    atMost("R13", "p95 of the seconds from the password to the mail server's yes", percentile(seconds, 0.95), 5),
    atMost("R13", "the slowest one, seconds", Math.max(...seconds), 15),
  ];
}

if (import.meta.main) await tell(codesOvertake(Number(process.env.MAILS ?? 5000), Number(process.env.CODES ?? 40)));
