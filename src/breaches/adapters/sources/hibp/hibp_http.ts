import type { SourceTrouble } from "../../../ports.ts";
import { later, misconfigured, type Received, readJson, retryAfterMs, sourceHttp } from "../source_http.ts";

export { later, misconfigured, retryAfterMs, segment } from "../source_http.ts";

const LONGEST_WAIT_MS = 60 * 60_000;

/** The result of a request: a JSON body, a 404, or an error, which may ask for a pause. */
export type Answer<Body = unknown> =
  | { kind: "json"; body: Body }
  | { kind: "missing"; isPage: boolean }
  | SourceTrouble;

export type Reading<Body> = {
  parse?: ((text: string) => Body) | undefined;
  /** What to return where HIBP refuses a call that its plan may include for some addresses only. */
  refused?: Body;
};
type Call<Body> = Reading<Body> & { apiKey?: string };

type HibpHttpOptions = {
  baseUrl: string;
  userAgent: string;
  timeoutMs: number;
  now: () => Date;
  /** Called before the answer is returned when HIBP asks for a pause of `ms`. */
  onSilence: (ms: number) => Promise<void>;
};

/** Maps a response by its status first; error messages never contain the key, the path or the body. */
export function hibpHttp({ baseUrl, userAgent, timeoutMs, now, onSilence }: HibpHttpOptions) {
  const receive = sourceHttp({ name: "HIBP", baseUrl, userAgent, timeoutMs, bodies: [404] });

  return async function get<Body = unknown>(
    path: string,
    { apiKey, parse, refused }: Call<Body> = {},
  ): Promise<Answer<Body>> {
    const received = await receive(path, apiKey === undefined ? {} : { "hibp-api-key": apiKey });
    if ("kind" in received) return received;
    const { status, headers } = received;
    const blocked = status === 403 && headers.has("cf-ray");
    if (status === 403 && !blocked && refused !== undefined) return { kind: "json", body: refused };
    const wait = retryAfterMs(headers.get("retry-after"), now());
    if (blocked) await onSilence(LONGEST_WAIT_MS);
    if (status === 429) await onSilence(wait);
    switch (status) {
      case 200:
        return jsonIn(received, parse);
      case 400:
        return {
          kind: "later",
          afterMs: LONGEST_WAIT_MS,
          reason: "HIBP refused the form of the request",
          isOfAddress: true,
        };
      case 401:
        return misconfigured("HIBP refused the API key");
      case 403:
        return misconfigured(
          blocked
            ? "HIBP's Cloudflare blocks this server"
            : "HIBP refused the call: the key's plan lacks it, or the user agent",
        );
      case 404:
        return { kind: "missing", isPage: isPage(received) };
      case 429:
        return later("HIBP's rate limit is reached", wait);
      case 503:
        return later("HIBP is unavailable", wait);
      default:
        return later(`HIBP answered with the unexpected status ${status}`);
    }
  };
}

/** A web page, as servers other than HIBP answer unknown paths. */
function isPage({ headers, text }: Received): boolean {
  return /^text\/html\b/i.test(headers.get("content-type") ?? "") && text.trim() !== "";
}

function jsonIn<Body>(received: Received, parse: Call<Body>["parse"]): Answer<Body> {
  const read = readJson("HIBP", received, parse);
  return "body" in read ? { kind: "json", body: read.body } : read;
}
