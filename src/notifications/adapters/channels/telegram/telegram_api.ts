import * as v from "valibot";
import {
  objectIn,
  type Request,
  type RequestOutcome,
  retryAfterMs,
  sendRequest,
} from "../../../../outbound/request.ts";

const TIMEOUT_MS = 20_000;

/** Telegram's answer; the HTTP status equals `error_code`. */
export type TelegramAnswer =
  | { kind: "ok"; result: unknown }
  | {
      kind: "refused";
      status: number;
      /** Undefined when a proxy in between has answered instead of Telegram. */
      description: string | undefined;
      retryAfterMs: number | undefined;
      migrateTo: string | undefined;
    }
  /** No valid answer; `inDoubt`: the call may have had an effect. */
  | { kind: "lost"; reason: string; inDoubt: boolean };

export type TelegramCall = (
  method: string,
  body?: Record<string, unknown>,
  options?: { timeoutMs?: number; bodyLimit?: number; signal?: AbortSignal },
) => Promise<TelegramAnswer>;

export type TelegramApiOptions = {
  baseUrl: string;
  token: string;
  now: () => Date;
  /** For calls other than long polls. */
  timeoutMs?: number | undefined;
} & Pick<Request, "ca" | "proxy">;

const envelope = v.variant("ok", [
  v.object({ ok: v.literal(true), result: v.unknown() }),
  v.object({
    ok: v.literal(false),
    description: v.optional(v.string(), ""),
    parameters: v.optional(
      v.object({
        retry_after: v.optional(v.number()),
        migrate_to_chat_id: v.optional(v.union([v.number(), v.string()])),
      }),
    ),
  }),
]);

function answerOf(response: RequestOutcome, now: Date): TelegramAnswer {
  if (response.kind !== "answer") return { kind: "lost", reason: response.reason, inDoubt: response.kind === "lost" };
  const { status, header, text } = response;
  const read = v.safeParse(envelope, objectIn(text));
  if (read.success && read.output.ok && status === 200) return { kind: "ok", result: read.output.result };
  if (status === 200) return { kind: "lost", reason: "the answer made no sense", inDoubt: true };
  const refusal = read.success && !read.output.ok ? read.output : undefined;
  const { retry_after: asked, migrate_to_chat_id: movedTo } = refusal?.parameters ?? {};
  return {
    kind: "refused",
    status,
    description: refusal?.description,
    retryAfterMs: retryAfterMs(asked === undefined ? header("Retry-After") : String(asked), now),
    migrateTo: movedTo === undefined ? undefined : String(movedTo),
  };
}

/** Calls the Bot API. The token is part of the URL, so errors never quote it. */
export function telegramApi(options: TelegramApiOptions): TelegramCall {
  const { baseUrl, token, now, timeoutMs = TIMEOUT_MS, ca, proxy } = options;
  const root = `${baseUrl.replace(/\/+$/, "")}/bot${token}`;
  const headers = { "content-type": "application/json" };
  return async (method, body = {}, more = {}) => {
    const request = { headers, body: JSON.stringify(body), timeoutMs, ca, proxy, ...more };
    return answerOf(await sendRequest(new URL(`${root}/${method}`), request), now());
  };
}
