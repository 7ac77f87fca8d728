import { telegramApi } from "../notifications/adapters/channels/telegram/telegram_api.ts";
import type { DatabaseContext } from "./command.ts";
import { ask, type Finding, fail, field, finding, ok, warn } from "./doctor_finding.ts";
import { ago, many } from "./words.ts";

const CALL_MS = 8000;
const FRESH_MS = 3_600_000;
const LOW_SHARE = 0.1;

type Call = ReturnType<typeof telegramApi>;

async function webhook(call: Call, expected: string | undefined): Promise<Finding[]> {
  const answer = await call("getWebhookInfo", {}, { timeoutMs: CALL_MS });
  if (answer.kind !== "ok") return [warn("Telegram does not say where updates go", "Run it again")];
  const url = String(field(answer.result, "url") ?? "");
  const pending = Number(field(answer.result, "pending_update_count") ?? 0);
  const failedAt = Number(field(answer.result, "last_error_date") ?? 0) * 1000;
  const list: Finding[] = [];
  if (expected === undefined && url !== "")
    list.push(
      fail(
        "Updates go to a webhook, so the bot cannot ask for them",
        "Set TELEGRAM_WEBHOOK_SECRET, or restart the server: it takes the webhook away",
      ),
    );
  else if (expected !== undefined && url !== expected)
    list.push(
      fail(
        url === "" ? "No webhook is registered" : "The webhook leads elsewhere",
        `Restart the server: it registers ${expected}`,
      ),
    );
  else list.push(ok(expected === undefined ? "The bot asks for updates" : "The webhook is registered"));
  if (failedAt > Date.now() - FRESH_MS && expected !== undefined)
    list.push(
      warn(
        `Telegram could not deliver an update ${ago(new Date(failedAt), new Date())}`,
        "Check that PUBLIC_URL is reachable from outside",
      ),
    );
  if (pending > 100) list.push(warn(`${many(pending, "update")} wait at Telegram`, "Check that the server is running"));
  return list;
}

/** Whom the token belongs to, and whether updates arrive. */
export async function checkTelegram({ config }: DatabaseContext): Promise<Finding[]> {
  const { channels, publicUrl } = config;
  if (channels.telegram === undefined) return [];
  const { baseUrl, token, webhookSecret } = channels.telegram;
  const call = telegramApi({ baseUrl, token, now: () => new Date(), timeoutMs: CALL_MS, proxy: config.outboundProxy });
  const me = await call("getMe");
  if (me.kind === "lost")
    return [fail("Telegram does not answer", "Check that this machine can reach TELEGRAM_BASE_URL")];
  if (me.kind === "refused") {
    const isToken = me.status === 401 || me.status === 404;
    return [
      fail(
        isToken ? "Telegram refuses the token" : `Telegram refuses (${me.status})`,
        isToken ? "Ask @BotFather for the token, and set TELEGRAM_BOT_TOKEN" : "Run it again later",
      ),
    ];
  }
  const name = field(me.result, "username");
  const known = ok(`The bot is @${typeof name === "string" ? name.replaceAll(/\W/g, "") : "?"}`);
  return [
    known,
    ...(await webhook(call, webhookSecret === undefined ? undefined : `${publicUrl}/api/telegram/webhook`)),
  ];
}

/** Checks the application's token through the limits endpoint, which costs no message. */
export async function checkPushover({ config }: DatabaseContext): Promise<Finding[]> {
  const { pushover } = config.channels;
  if (pushover === undefined) return [];
  const url = new URL(`${pushover.baseUrl.replace(/\/+$/, "")}/apps/limits.json`);
  url.searchParams.set("token", pushover.appToken);
  const answer = await ask(url);
  if ("trouble" in answer)
    return [
      fail(`Pushover cannot be reached: ${answer.trouble}`, "Check that this machine can reach PUSHOVER_BASE_URL"),
    ];
  if (answer.status === 400 || answer.status === 401)
    return [fail("Pushover refuses the application's token", "Copy it from pushover.net/apps into PUSHOVER_APP_TOKEN")];
  const [limit, remaining] = [Number(field(answer.body, "limit")), Number(field(answer.body, "remaining"))];
  if (answer.status !== 200 || !(limit > 0))
    return [warn(`Pushover's answer is not understood (${answer.status})`, "Run it again later")];
  const isLow = remaining < limit * LOW_SHARE;
  return [
    finding(
      isLow ? "warn" : "ok",
      `${remaining} of ${limit} messages are left this month`,
      isLow ? "Buy more at pushover.net before they run out" : undefined,
    ),
  ];
}

/** Whether the server of plain topics is an ntfy server and accepts the token. */
export async function checkNtfy({ config }: DatabaseContext): Promise<Finding[]> {
  const { ntfy } = config.channels;
  if (ntfy === undefined) return [];
  const health = await ask(new URL("/v1/health", ntfy.baseUrl));
  if ("trouble" in health)
    return [fail(`The ntfy server cannot be reached: ${health.trouble}`, "Correct NTFY_BASE_URL")];
  if (field(health.body, "healthy") !== true)
    return [fail("This is not an ntfy server, or it is not healthy", "Look at NTFY_BASE_URL")];
  if (ntfy.token === undefined) return [ok("The ntfy server is healthy")];
  const account = await ask(new URL("/v1/account", ntfy.baseUrl), { Authorization: `Bearer ${ntfy.token}` });
  const isRefused = !("trouble" in account) && [401, 403].includes(account.status);
  return [
    isRefused
      ? fail("The ntfy server refuses the token", "Create a new one there, and set NTFY_TOKEN")
      : ok("The ntfy server is healthy and accepts the token"),
  ];
}
