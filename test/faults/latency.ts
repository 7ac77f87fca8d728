// R14: the time from detecting an exposure to the provider's acceptance of the message: alone, and under load, at the
// rate that Telegram allows.
//   ALERTS=2000 bun test/faults/latency.ts
import { sql } from "drizzle-orm";
import { contactTable } from "../../src/notifications/adapters/postgres/tables.ts";
import { startTelegramPeer, type TelegramPeer } from "../support/telegram_peer.ts";
import { atLeast, atMost, type Finding, tell } from "./bench.ts";
import { openNews, percentile } from "./news.ts";

const ALONE = 5;

type News = Awaited<ReturnType<typeof openNews>>;

/** For each message about such a breach: seconds from the alert to its end. */
async function secondsOf({ ask }: News, breach: string, channel: string): Promise<number[]> {
  const rows = await ask<{ seconds: number }>(sql`
    select extract(epoch from delivery.ended_at - alert.raised_at)::float8 as seconds
    from notifications.delivery join breaches.alert on delivery.subject = 'alert:' || alert.id
    where alert.breach_name like ${breach} and channel = ${channel} and delivery.state = 'sent'`);
  return rows.map(({ seconds }) => seconds);
}

/** Users with a chat that the bot may write to. */
function peopleWith(telegram: TelegramPeer, count: number) {
  const people = Array.from({ length: count }, (_, number) => ({ id: 1000 + number, username: `person${number}` }));
  for (const person of people) telegram.write({ ...person, first_name: "Grace" }, "Hello");
  // Nobody waits for the bot's response to that.
  telegram.pending().length = 0;
  return people;
}

export async function latency(alerts: number): Promise<Finding[]> {
  const news = await openNews();
  const telegram = startTelegramPeer();
  // Half of the alerts by mail, half by Telegram.
  const people = peopleWith(telegram, Math.ceil(alerts / 2));
  const bot = { TELEGRAM_BASE_URL: telegram.baseUrl, TELEGRAM_BOT_TOKEN: telegram.token };
  await news.bench.start({ ...news.source, ...bot });

  await news.enrol(["somebody@example.net"]);
  for (let breach = 0; breach < ALONE; breach++) {
    news.publish(`Alone${breach}`, ["somebody@example.net"]);
    await news.alerts("sent", breach + 1);
  }
  const alone = await secondsOf(news, "Alone%", "email");

  const emails = people.map(({ username }) => `${username}@example.org`);
  const chats: (typeof contactTable.$inferInsert)[] = [];
  await news.enrol(emails, (email, accountId) => {
    const person = people.find(({ username }) => email === `${username}@example.org`);
    const [value, at] = [person?.username ?? "", news.database.now()];
    chats.push({
      id: crypto.randomUUID(),
      accountId,
      channel: "telegram",
      value,
      language: "en",
      state: "active",
      confirmedAt: at,
      createdAt: at,
      chatId: String(person?.id),
      version: 1,
    });
    return [{ channel: "telegram", value }];
  });
  const { accountId, channel, value } = contactTable;
  for (const chat of chats)
    await news.plain((tx) =>
      tx
        .insert(contactTable)
        .values(chat)
        .onConflictDoUpdate({ target: [accountId, channel, value], set: { state: "active", chatId: chat.chatId } }),
    );
  const before = telegram.sent.length;
  news.publish("Crowd", emails);
  await news.alerts("sent", ALONE + emails.length * 2);
  const [mails, messages] = [await secondsOf(news, "Crowd", "email"), await secondsOf(news, "Crowd", "telegram")];
  await news.close();
  telegram.close();
  return [
    atMost("R14", `p95 of ${alone.length} alerts, one at a time, seconds`, percentile(alone, 0.95), 30),
    atLeast("R14", "messages to chats at once", telegram.sent.length - before, emails.length),
    atMost("R14", `p95 of ${mails.length} mails at once, seconds`, percentile(mails, 0.95), 300),
    atMost("R14", `p95 of ${messages.length} messages to chats at once, seconds`, percentile(messages, 0.95), 300),
  ];
}

if (import.meta.main) await tell(latency(Number(process.env.ALERTS ?? 2000)));
