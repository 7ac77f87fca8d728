import type { Agent, IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import type { LookupFunction } from "node:net";
import { agentThrough, type OutboundProxy, proxyFor } from "../shared/outbound_proxy.ts";

/** A resolved and validated address. */
export type Resolved = { address: string; family: 4 | 6 };

export type Request = {
  /** Defaults to POST. A GET has no body. */
  method?: "GET" | "PUT" | undefined;
  headers: Record<string, string>;
  /** Text is sent in UTF-8. */
  body: string | Uint8Array;
  /** For the whole request: connecting, sending, and reading the response. */
  timeoutMs: number;
  /** Connects to this address only; without it the name is resolved. */
  at?: Resolved;
  /** A certificate authority to trust instead of the default ones. */
  ca?: string | undefined;
  /** The proxy that carries the request where it applies. */
  proxy?: OutboundProxy | undefined;
  /** Aborts the request; whatever was sent may have arrived. */
  signal?: AbortSignal | undefined;
  /** Limit of the response's body in bytes. */
  bodyLimit?: number;
  /** Reads the start of a body above the limit; without it, nothing of such a body. */
  keepsStart?: boolean | undefined;
};

export type RequestOutcome =
  | {
      kind: "answer";
      status: number;
      header(name: string): string | undefined;
      text: string;
      /** The connection or the time ended before the body, so that some of it is missing. */
      isCutOff?: boolean;
    }
  /** The request has certainly not arrived. */
  | { kind: "unsent"; reason: string }
  /** The request may have arrived. */
  | { kind: "lost"; reason: string };

const BODY_LIMIT = 64 * 1024;
/** Errors before anything was sent: name resolution, connection, certificate. */
const BEFORE_SENDING =
  /^(ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EPROTO|CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|UNABLE_TO_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|HOSTNAME_MISMATCH)$/;

/** The cause of a network error by its code, as a message could quote the request. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

function always(at: Resolved): LookupFunction {
  return (_host, { all }, done) => (all ? done(null, [at]) : done(null, at.address, at.family));
}

/** A connection per request, so that nothing is repeated implicitly. */
function optionsOf({ method, headers, at, ca }: Request, agent: Agent | false, bodyBytes: number): RequestOptions {
  return {
    method: method ?? "POST",
    headers: {
      ...headers,
      "accept-encoding": "identity",
      ...(method !== "GET" && { "content-length": String(bodyBytes) }),
    },
    agent,
    ...(ca !== undefined && { ca }),
    ...(at && { lookup: always(at) }),
  };
}

type Collecting = { limit: number; keepsStart: boolean; onTooLong: () => void };

/** Collects the body of a response up to the limit. */
function collectBody(response: IncomingMessage, { limit, keepsStart, onTooLong }: Collecting): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, Math.max(0, limit - size)));
    size += chunk.byteLength;
    if (size > limit) onTooLong();
  });
  return () => (size > limit && !keepsStart ? "" : Buffer.concat(chunks).toString("utf8"));
}

function answerOf({ headers, statusCode }: IncomingMessage, text: string, isWhole: boolean): RequestOutcome {
  const header = (name: string) => [headers[name.toLowerCase()]].flat()[0];
  return { kind: "answer", status: statusCode ?? 0, header, text, ...(!isWhole && { isCutOff: true }) };
}

/** One HTTP request, with a limit on time and size, never following a redirect. It throws nothing. */
export async function sendRequest(url: URL, request: Request): Promise<RequestOutcome> {
  const { method, body, timeoutMs, signal, bodyLimit: limit = BODY_LIMIT, keepsStart = false } = request;
  const bytes = Buffer.from(typeof body === "string" ? body.toWellFormed() : body);
  // Loaded on demand, as they take Bun a while and not every installation needs them.
  const { request: start, Agent } = await (url.protocol === "http:" ? import("node:http") : import("node:https"));
  const proxy = request.proxy && proxyFor(url, request.proxy);
  const agent = proxy !== undefined && new Agent(agentThrough(proxy));
  const { promise, resolve } = Promise.withResolvers<RequestOutcome>();
  let answer: { response: IncomingMessage; text: () => string } | undefined;
  let isWhole = false;

  /** Once the response has begun, it counts, however the connection ends. */
  const end = (otherwise: RequestOutcome) =>
    resolve(answer ? answerOf(answer.response, answer.text(), isWhole) : otherwise);

  const outgoing = start(url, optionsOf(request, agent, bytes.byteLength));
  function giveUp(reason: string): void {
    end({ kind: "lost", reason });
    outgoing.destroy();
  }
  const late = setTimeout(giveUp, timeoutMs, "no answer in time");
  const stop = () => giveUp("stopped");
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  const lost: RequestOutcome = { kind: "lost", reason: "the connection ended without an answer" };
  outgoing.on("response", (response) => {
    const onTooLong = () => {
      isWhole = true;
      giveUp("the answer is too long");
    };
    answer = { response, text: collectBody(response, { limit, keepsStart, onTooLong }) };
    response.on("end", () => {
      isWhole = response.complete;
    });
    for (const event of ["end", "aborted", "error", "close"]) response.on(event, () => end(lost));
  });
  outgoing.on("error", (error) => {
    const reason = codeOf(error);
    end({ kind: BEFORE_SENDING.test(reason) ? "unsent" : "lost", reason });
  });
  outgoing.on("close", () => end(lost));
  if (method === "GET") outgoing.end();
  else outgoing.end(bytes);
  return promise.finally(() => {
    clearTimeout(late);
    signal?.removeEventListener("abort", stop);
  });
}

const LONGEST_WAIT_MS = 60 * 60_000;

/** A delay that a provider asks for, in whole milliseconds between a second and an hour. */
export function boundedWait(ms: number): number {
  return Math.min(LONGEST_WAIT_MS, Math.max(1000, Math.ceil(ms)));
}

/** The delay of a Retry-After header, between a second and an hour; undefined if it is invalid. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const typed = header?.trim() ?? "";
  // Only HTTP's own date format, as `Date.parse` accepts nearly any text with a number.
  const isDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(typed);
  const wait = /^\d+$/.test(typed) ? Number(typed) * 1000 : isDate ? Date.parse(typed) - now.getTime() : Number.NaN;
  return Number.isNaN(wait) ? undefined : boundedWait(wait);
}

/** Parses a body that is a JSON object; undefined for anything else. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A semaphore with `places` permits; waiting longer than `waitMs` fails. Urgent work goes first, and `keptForUrgent` places are
 * kept for it. Work that calls `leave` no longer counts.
 */
export function gate(places: number, waitMs: number, keptForUrgent = 0) {
  let free = places;
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];

  function admit(): void {
    while (free > 0) {
      const next = urgent.shift() ?? (free > keptForUrgent ? others.shift() : undefined);
      if (!next) return;
      free--;
      next();
    }
  }

  function enter(isUrgent: boolean): Promise<boolean> {
    const queue = isUrgent ? urgent : others;
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(go), 1);
        resolve(false);
      }, waitMs);
      queue.push(go);
      admit();
    });
  }

  return async function within<T>(work: (leave: () => void) => Promise<T>, isUrgent = false): Promise<T | undefined> {
    if (!(await enter(isUrgent))) return undefined;
    let isInside = true;
    function leave(): void {
      if (!isInside) return;
      isInside = false;
      free++;
      admit();
    }
    return work(leave).finally(leave);
  };
}
