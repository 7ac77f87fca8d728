import { KEY_REFUSED } from "../../../../shared/sources.ts";
import type { SourceTrouble } from "../../../ports.ts";
import {
  later,
  misconfigured,
  type Received,
  readJson,
  retryAfterMs,
  type SourceRequest,
  sourceHttp,
} from "../source_http.ts";

export { later, misconfigured, retryAfterMs, segment } from "../source_http.ts";

const LONGEST_WAIT_MS = 60 * 60_000;

/** The result of a request: a JSON body, a 404, or an error, which may ask for a pause. */
export type Answer<Body = unknown> =
  | { kind: "json"; body: Body }
  | { kind: "missing"; isPage: boolean }
  | SourceTrouble;

export type Reading<Body> = {
  parse?: ((text: string) => Body) | undefined;
  /** What to return where HIBP refuses a call that its plan may include for some addresses or domains only. */
  refused?: Body;
  /** Reads what HIBP says of a bad request, from its JSON; undefined where it says nothing known. */
  bad?: (body: unknown) => Body | undefined;
  /** What a success without a body means. */
  done?: Body;
};
/** A request; `posted` is sent as JSON by POST. */
export type Call<Body> = Reading<Body> &
  Pick<SourceRequest, "bodyLimit" | "timeoutMs"> & {
    posted?: Record<string, string>;
    /** As `onSilence`, for a call with a rate limit of its own. */
    onLimit?: ((ms: number) => Promise<void>) | undefined;
  };

/** A request with the key. */
export type KeyedCall<Body> = Omit<Call<Body>, "onLimit"> & {
  /** The rate limit that it comes under, if it has one of its own. */
  ownBudget?: string;
  /** Exceeding it pauses this call only. */
  isLimitOwn?: boolean;
};

type HibpHttpOptions = {
  baseUrl: string;
  userAgent: string;
  timeoutMs: number;
  now: () => Date;
  /** Called before the answer is returned when HIBP asks for a pause of `ms`. */
  onSilence: (ms: number) => Promise<void>;
};

function troubleOf(status: number, waitMs: number, isBlocked: boolean): SourceTrouble {
  switch (status) {
    case 400:
      return { ...later("HIBP refused the form of the request", LONGEST_WAIT_MS), isOfAddress: true };
    case 401:
      return misconfigured(`HIBP ${KEY_REFUSED}`);
    case 403:
      return misconfigured(
        isBlocked
          ? "HIBP's Cloudflare blocks this server"
          : "HIBP refused the call: the key's plan lacks it, or the user agent",
      );
    case 429:
      return later("HIBP's rate limit is reached", waitMs);
    case 503:
      return later("HIBP is unavailable", waitMs);
    default:
      return later(`HIBP answered with the unexpected status ${status}`);
  }
}

/** Maps a response by its status first; error messages never contain the key, the path or the body. */
export function hibpHttp({ baseUrl, userAgent, timeoutMs, now, onSilence }: HibpHttpOptions) {
  const receive = sourceHttp({ name: "HIBP", baseUrl, userAgent, timeoutMs, bodies: [400, 404] });

  return async function ask<Body = unknown>(
    path: string,
    { apiKey, ...call }: Call<Body> & { apiKey?: string } = {},
  ): Promise<Answer<Body>> {
    const { posted, bodyLimit, refused, done, onLimit = onSilence } = call;
    const received = await receive(path, {
      headers: apiKey === undefined ? {} : { "hibp-api-key": apiKey },
      ...(posted && { method: "POST", body: JSON.stringify(posted) }),
      bodyLimit,
      timeoutMs: call.timeoutMs,
    });
    if ("kind" in received) return received;
    const { status, headers, text } = received;
    const isBlocked = status === 403 && headers.has("cf-ray");
    const wait = retryAfterMs(headers.get("retry-after"), now());
    if (isBlocked) await onSilence(LONGEST_WAIT_MS);
    if (status === 429) await onLimit(wait);
    if (status === 404) return { kind: "missing", isPage: isPage(received) };
    if (status === 200 && (done === undefined || text.trim() !== "")) return jsonIn(received, call.parse);
    let body: Body | undefined;
    if (status === 200) body = done;
    if (status === 400) body = saidIn(text, call.bad);
    if (status === 403 && !isBlocked) body = refused;
    return body === undefined ? troubleOf(status, wait, isBlocked) : { kind: "json", body };
  };
}

/** A web page, as servers other than HIBP answer unknown paths. */
function isPage({ headers, text }: Received): boolean {
  return /^text\/html\b/i.test(headers.get("content-type") ?? "") && text.trim() !== "";
}

/** The body of an error may be text, or a web page. */
function saidIn<Body>(text: string, read: Reading<Body>["bad"]): Body | undefined {
  try {
    return read?.(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function jsonIn<Body>(received: Received, parse: Reading<Body>["parse"]): Answer<Body> {
  const read = readJson("HIBP", received, parse);
  return "body" in read ? { kind: "json", body: read.body } : read;
}
