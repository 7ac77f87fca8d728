import type { SourceTrouble } from "../ports.ts";

const BODY_LIMIT = 8 * 1024 * 1024;
const RETRY_MS = 60_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/** What one call brought: a JSON body, a 404, or trouble. A trouble may ask that nobody calls for a while. */
export type Answer = { kind: "json"; body: unknown } | { kind: "missing" } | SourceTrouble;

type HibpHttpOptions = {
  baseUrl: string;
  userAgent: string;
  timeoutMs: number;
  now: () => Date;
  /** Called before the answer is returned when HIBP wants silence for `ms`. */
  onSilence: (ms: number) => Promise<void>;
};

type Received = { status: number; headers: Headers; text: string };

export function later(reason: string, afterMs = RETRY_MS): SourceTrouble {
  return { kind: "later", afterMs, reason };
}

export function misconfigured(reason: string): SourceTrouble {
  return { kind: "misconfigured", reason };
}

function isLoopback(host: string): boolean {
  return host === "[::1]" || /^(.+\.)?localhost$/.test(host) || /^127(\.\d+){3}$/.test(host);
}

/** The base without a trailing slash. Plain http would show the key and the addresses to everybody on the way. */
function checkedBase(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    throw new Error(`Cannot use the HIBP base URL "${url.origin}": it must be https, except on this machine`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Text as one path segment, whatever it holds. */
export function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The wait that a Retry-After header asks for: between a second and an hour, a minute when it makes no sense. */
export function retryAfterMs(header: string | null, now: Date): number {
  const typed = header?.trim() ?? "";
  let wait = RETRY_MS;
  if (/^\d+$/.test(typed)) wait = Number(typed) * 1000;
  // Only HTTP's own date form: the parser takes nearly any text with a number for a date.
  else if (/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(typed))
    wait = Date.parse(typed) - now.getTime();
  return Number.isNaN(wait) ? RETRY_MS : Math.min(LONGEST_WAIT_MS, Math.max(1000, wait));
}

/** What went wrong on the way, by its code: a message could quote the request. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  if (error.name === "TimeoutError") return "it took too long";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

async function readText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_LIMIT) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function readJson({ headers, text }: Received): Answer {
  const type = headers.get("content-type") ?? "";
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    return later("Cannot read HIBP's answer: it is not declared as JSON");
  try {
    return { kind: "json", body: JSON.parse(text) };
  } catch {
    return later("Cannot read HIBP's answer: it is not JSON");
  }
}

/**
 * The one way out to HIBP: a GET with a limit on time and size, never following a redirect. Whatever happens becomes
 * an `Answer`, by its status first; the key, the path and the body are in no reason.
 */
export function hibpHttp({ baseUrl, userAgent, timeoutMs, now, onSilence }: HibpHttpOptions) {
  const base = checkedBase(baseUrl);

  async function receive(path: string, apiKey: string | undefined): Promise<Received | SourceTrouble> {
    const headers = {
      accept: "application/json",
      "user-agent": userAgent,
      ...(apiKey !== undefined && { "hibp-api-key": apiKey }),
    };
    try {
      const response = await fetch(base + path, {
        headers,
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { status, headers: answered } = response;
      if (status !== 200) {
        await response.body?.cancel();
        return { status, headers: answered, text: "" };
      }
      const text = await readText(response);
      return text === undefined
        ? later("Cannot read HIBP's answer: it is too large")
        : { status, headers: answered, text };
    } catch (error) {
      return later(`Cannot reach HIBP: ${causeOf(error)}`);
    }
  }

  return async function get(path: string, apiKey?: string): Promise<Answer> {
    const received = await receive(path, apiKey);
    if ("kind" in received) return received;
    const { status, headers } = received;
    const blocked = status === 403 && headers.has("cf-ray");
    const wait = retryAfterMs(headers.get("retry-after"), now());
    if (blocked) await onSilence(LONGEST_WAIT_MS);
    if (status === 429) await onSilence(wait);
    switch (status) {
      case 200:
        return readJson(received);
      case 400:
        return later("HIBP refused the form of the request", LONGEST_WAIT_MS);
      case 401:
        return misconfigured("HIBP refused the API key");
      case 403:
        return misconfigured(
          blocked
            ? "HIBP's Cloudflare blocks this server"
            : "HIBP refused the call: the key's plan lacks it, or the user agent",
        );
      case 404:
        return { kind: "missing" };
      case 429:
        return later("HIBP's rate limit is reached", wait);
      case 503:
        return later("HIBP is unavailable", wait);
      default:
        return later(`HIBP answered with the unexpected status ${status}`);
    }
  };
}
