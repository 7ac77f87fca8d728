import { causeOf, readUpTo } from "../../../shared/http_response.ts";
import { isLoopbackHost } from "../../../shared/loopback.ts";
import type { RateBudget, SourceTrouble } from "../../ports.ts";

const BODY_LIMIT = 8 * 1024 * 1024;
const RETRY_MS = 60_000;
const LONGEST_WAIT_MS = 60 * 60_000;

export type Received = { status: number; headers: Headers; text: string };

/** How a source is asked. */
export type SourceOptions = {
  /** Such as `https://haveibeenpwned.com/api/v3`. */
  baseUrl: string;
  budget: RateBudget;
  /** Names this product and how to reach its operator. */
  userAgent: string;
  now: () => Date;
  timeoutMs?: number;
};

type SourceHttpOptions = Pick<SourceOptions, "baseUrl" | "userAgent"> & {
  /** Display name of the source. */
  name: string;
  timeoutMs: number;
  /** Statuses other than 200 whose body is read. */
  bodies?: number[];
};

export type SourceRequest = {
  headers?: Record<string, string>;
  method?: "POST" | undefined;
  body?: string | undefined;
  /** Limit of the answer's body, in bytes; 8 MB by default. */
  bodyLimit?: number | undefined;
  timeoutMs?: number | undefined;
};

export function later(reason: string, afterMs = RETRY_MS): Extract<SourceTrouble, { kind: "later" }> {
  return { kind: "later", afterMs, reason };
}

export function misconfigured(reason: string): SourceTrouble {
  return { kind: "misconfigured", reason };
}

/** Removes the trailing slash. Plain http is rejected, as it would reveal the key and the addresses in transit. */
export function checkedBase(name: string, baseUrl: string): string {
  const url = new URL(baseUrl);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.hostname))) {
    throw new Error(`Cannot use the ${name} base URL "${url.origin}": it must be https, except on this machine`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Encodes any text as one path segment. */
export function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The delay of a Retry-After header, between a second and an hour; one minute if it is invalid. */
export function retryAfterMs(header: string | null, now: Date): number {
  const typed = header?.trim() ?? "";
  let wait = RETRY_MS;
  if (/^\d+$/.test(typed)) wait = Number(typed) * 1000;
  // Only HTTP's own date format, as `Date.parse` accepts nearly any text with a number.
  else if (/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(typed))
    wait = Date.parse(typed) - now.getTime();
  return Number.isNaN(wait) ? RETRY_MS : Math.min(LONGEST_WAIT_MS, Math.max(1000, wait));
}

async function readText(response: Response, limit: number): Promise<string | undefined> {
  const bytes = await readUpTo(response, limit);
  return bytes && new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** The body of a JSON response, if declared as such; `parse` throws for other content. */
export function readJson<Body = unknown>(
  name: string,
  { headers, text }: Received,
  parse: (text: string) => Body = JSON.parse,
): { body: Body } | SourceTrouble {
  const type = headers.get("content-type") ?? "";
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    return later(`Cannot read ${name}'s answer: it is not declared as JSON`);
  try {
    return { body: parse(text) };
  } catch {
    return later(`Cannot read ${name}'s answer: it is not JSON`);
  }
}

/** The only HTTP client for sources: requests with limits on time and size, without redirects. Never throws. */
export function sourceHttp({ name, baseUrl, userAgent, timeoutMs, bodies = [] }: SourceHttpOptions) {
  const base = checkedBase(name, baseUrl);
  return async function receive(path: string, request: SourceRequest = {}): Promise<Received | SourceTrouble> {
    const { method = "GET", body, bodyLimit = BODY_LIMIT } = request;
    try {
      const response = await fetch(base + path, {
        method,
        headers: {
          accept: "application/json",
          "user-agent": userAgent,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...request.headers,
        },
        ...(body !== undefined && { body }),
        redirect: "manual",
        signal: AbortSignal.timeout(request.timeoutMs ?? timeoutMs),
      });
      const { status, headers } = response;
      if (status !== 200 && !bodies.includes(status)) {
        await response.body?.cancel();
        return { status, headers, text: "" };
      }
      const text = await readText(response, bodyLimit);
      return text === undefined ? later(`Cannot read ${name}'s answer: it is too large`) : { status, headers, text };
    } catch (error) {
      return later(`Cannot reach ${name}: ${causeOf(error)}`);
    }
  };
}
