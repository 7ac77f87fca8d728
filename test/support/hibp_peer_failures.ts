import type { ServerResponse } from "node:http";

/** A raw response of the peer: status, headers and body. */
export type PeerAnswer = { status: number; headers: Record<string, string>; body: string };

const HTML = { "content-type": "text/html; charset=utf-8" };
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const PAGE = "<!DOCTYPE html><html><body>Sorry</body></html>";

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): PeerAnswer {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) };
}

export function textAnswer(status: number, body: string): PeerAnswer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

/** HIBP's error format. */
export function errorAnswer(statusCode: number, message: string, headers: Record<string, string> = {}): PeerAnswer {
  return jsonAnswer(statusCode, { statusCode, message }, headers);
}

export function send(response: ServerResponse, { status, headers, body }: PeerAnswer): void {
  response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(body)) });
  response.end(body);
}

/** Sends the headers and half of the body, then calls `end`. */
function sendHalf(response: ServerResponse, { status, headers, body }: PeerAnswer, end: () => void): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, "content-length": String(bytes.length) });
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), end);
}

type Fail = (response: ServerResponse, wouldBe: PeerAnswer) => void;
const always =
  (answer: PeerAnswer): Fail =>
  (response) =>
    send(response, answer);
const rateLimited = "Rate limit is exceeded. Try again in 2 seconds.";
const invalidKey = "Access denied due to invalid hibp-api-key.";

/** Every failure that can be injected, by name. */
export const HIBP_FAILURES = {
  "429": always(errorAnswer(429, rateLimited, { "retry-after": "2" })),
  "429 without retry-after": always(errorAnswer(429, rateLimited)),
  "429 with nonsense": always(errorAnswer(429, rateLimited, { "retry-after": "soon" })),
  "429 html": always({ status: 429, headers: { ...HTML, "retry-after": "2" }, body: PAGE }),
  "401": always(errorAnswer(401, invalidKey)),
  "401 text": always(textAnswer(401, invalidKey)),
  "403 blocked": always({ status: 403, headers: { ...HTML, "cf-ray": "8f0c1a2b3c4d5e6f-ZRH" }, body: PAGE }),
  "403 plan": always(textAnswer(403, "Your HIBP API key does not have access to this resource")),
  "400": always(errorAnswer(400, "Bad request")),
  "404 html": always({ status: 404, headers: HTML, body: PAGE }),
  "500": always(errorAnswer(500, "Internal server error")),
  "503 html": always({ status: 503, headers: HTML, body: PAGE }),
  "599": (response) => void response.writeHead(599, "Network connect timeout").end(),
  /** Redirects to itself, so that a client that follows it gets the correct response. */
  redirect: (response) => void response.writeHead(301, { location: response.req.url ?? "" }).end(),
  empty: (response, { headers }) => send(response, { status: 200, headers, body: "" }),
  "empty list": always(jsonAnswer(200, [])),
  "empty object": always(jsonAnswer(200, {})),
  "broken json": always({ status: 200, headers: JSON_TYPE, body: '[{"Name":"Adobe"' }),
  object: always(jsonAnswer(200, { Name: "Adobe" })),
  "wrong rows": always(jsonAnswer(200, [{ title: "Adobe" }, 7])),
  "wrong type": (response, { body }) => send(response, { status: 200, headers: HTML, body }),
  "wrong encoding": (response, { headers, body }) => {
    const start = body.indexOf('":"') + 3;
    response.writeHead(200, headers);
    response.end(
      Buffer.concat([Buffer.from(body.slice(0, start)), Buffer.from([0xff]), Buffer.from(body.slice(start))]),
    );
  },
  "too large": (response, { headers, body }) => {
    response.writeHead(200, headers);
    response.end(body + " ".repeat(9 * 1024 * 1024));
  },
  "too large for a domain": (response, { headers, body }) => {
    response.writeHead(200, headers);
    response.end(body + " ".repeat(33 * 1024 * 1024));
  },
  truncated: (response, answer) => sendHalf(response, answer, () => response.socket?.end()),
  reset: (response, answer) => sendHalf(response, answer, () => response.socket?.destroy()),
  /** Closes the connection before responding. On a reused connection, clients retry automatically. */
  "hang up": (response) => void response.socket?.destroy(),
  hang: () => {},
  /** Sends a byte now and then, so that only a limit on the total time ends it. */
  slow: (response, { status, headers }) => {
    response.writeHead(status, headers);
    const drip = setInterval(() => response.write(" "), 10);
    response.on("close", () => clearInterval(drip));
  },
} satisfies Record<string, Fail>;

export type HibpFailure = keyof typeof HIBP_FAILURES;
