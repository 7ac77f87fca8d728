import { gate, type Request, type RequestOutcome, sendRequest } from "../../../../outbound/request.ts";
import type { ContactCheck, Message, MessageSender, Outcome, Urgency } from "../../../ports.ts";
import { cut, pushText } from "../push_text.ts";
import { pushoverLimits } from "./pushover_limits.ts";
import { pushoverOutcome, readCheck } from "./pushover_outcome.ts";
import { pushoverReceipts } from "./pushover_receipts.ts";

export type PushoverOptions = {
  /** Such as `https://api.pushover.net/1`. */
  baseUrl: string;
  /** The installation's application token. */
  appToken: string;
  userAgent: string;
  now: () => Date;
  /** Reports to the operator that the monthly quota runs low. */
  report: (error: unknown, context: Record<string, unknown>) => void;
  /** Shorter than the queue's send timeout, so that this sender decides the outcome. */
  timeoutMs?: number;
} & Pick<Request, "proxy">;

const KEY = /^[A-Za-z0-9]{30}$/;
const DEVICES = /^[\w-]{1,25}(,[\w-]{1,25})*$/;
const LIMITS = { title: 250, characters: 1024, bytes: 4096 };
const URL_LIMIT = 512;
const URL_TITLE_LIMIT = 100;
/** Pushover treats more concurrent connections as abuse. */
const CONNECTIONS = 2;
const WAIT_FOR_TURN_MS = 12_000;
const EMERGENCY_RETRY_SECONDS = 120;
/** Thirty repetitions; Pushover stops at fifty. */
const EMERGENCY_EXPIRE_SECONDS = 3600;

const LATE: RequestOutcome = { kind: "unsent", reason: "other messages took too long" };

/**
 * High priority bypasses a device's quiet hours, so it is used for critical alerts only; emergencies only if the contact asks for
 * them.
 */
const PRIORITY: Record<Urgency, number> = { low: -1, normal: 0, high: 0, critical: 1 };

function priorityOf({ urgency = "normal", emergency }: Message): Record<string, string> {
  if (!emergency || urgency !== "critical") return { priority: String(PRIORITY[urgency]) };
  return { priority: "2", retry: String(EMERGENCY_RETRY_SECONDS), expire: String(EMERGENCY_EXPIRE_SECONDS) };
}

function fieldsOf(message: Message, now: Date): Record<string, string> {
  const { to, content, raisedAt, notAfter } = message;
  const { title, body, link } = pushText(content, LIMITS, { links: true });
  const priority = priorityOf(message);
  const secondsLeft = notAfter && Math.ceil((notAfter.getTime() - now.getTime()) / 1000);
  return {
    user: to.value,
    title,
    message: body,
    ...priority,
    ...(link && link.url.length <= URL_LIMIT && { url: link.url, url_title: cut(link.label, URL_TITLE_LIMIT) }),
    ...(to.device !== undefined && DEVICES.test(to.device) && { device: to.device }),
    ...(raisedAt && { timestamp: String(Math.floor(raisedAt.getTime() / 1000)) }),
    ...(secondsLeft !== undefined && secondsLeft > 0 && priority.priority !== "2" && { ttl: String(secondsLeft) }),
  };
}

/** Push messages by Pushover, as plain text. */
export function pushoverSender({
  baseUrl,
  appToken,
  userAgent,
  now,
  report,
  timeoutMs = 10_000,
  proxy,
}: PushoverOptions): MessageSender {
  const base = baseUrl.replace(/\/+$/, "");
  const within = gate(CONNECTIONS, WAIT_FOR_TURN_MS);
  const limits = pushoverLimits({ now, report });
  const headers = { "content-type": "application/x-www-form-urlencoded", "user-agent": userAgent };

  /** The token is in the body, as URLs can end up in logs. */
  async function call(path: string, fields: Record<string, string>): Promise<RequestOutcome> {
    const body = new URLSearchParams({ token: appToken, ...fields }).toString();
    const response = await within(() => sendRequest(new URL(base + path), { headers, body, timeoutMs, proxy }));
    return response ?? LATE;
  }

  /** GET requests only accept the token in the URL, which is not logged here. */
  async function get(path: string): Promise<RequestOutcome> {
    const url = new URL(base + path);
    url.searchParams.set("token", appToken);
    const request = { method: "GET", headers: { "user-agent": userAgent }, body: "", timeoutMs, proxy } as const;
    return (await within(() => sendRequest(url, request))) ?? LATE;
  }

  return {
    channel: "pushover",
    receipts: pushoverReceipts({ get, call }),
    limit: { current: limits.current },

    async send(message): Promise<Outcome> {
      if (!KEY.test(message.to.value))
        return { kind: "dead", cause: "recipient", reason: "no Pushover key", forGood: true };
      if (message.content.code)
        return { kind: "dead", cause: "message", reason: "a sign-in code goes by mail and no other way" };
      const response = await call("/messages.json", fieldsOf(message, now()));
      if (response.kind === "answer") limits.read(response);
      return pushoverOutcome(response, now());
    },

    async check(value): Promise<ContactCheck> {
      if (!KEY.test(value)) return { kind: "invalid" };
      return readCheck(await call("/users/validate.json", { user: value }));
    },
  };
}
