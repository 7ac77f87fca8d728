import type { ServerResponse } from "node:http";
import { jsonAnswer, type PeerAnswer, send } from "./hibp_peer_failures.ts";

type Fail = (response: ServerResponse, wouldBe: PeerAnswer) => void;

const HTML = { "content-type": "text/html; charset=utf-8" };
const always =
  (answer: PeerAnswer): Fail =>
  (response) =>
    send(response, answer);

/** The body of a rate limit response. */
export function limitReached(retryAfter: number): PeerAnswer {
  const detail = { error: "Rate limit exceeded", detail: "25 per 1 hour", retry_after: retryAfter, reset_time: "" };
  return jsonAnswer(429, { detail }, { "retry-after": String(retryAfter) });
}

const dropped = { error: "Request dropped due to violation history", detail: "Too many violations" };
const droppedHeaders = { "x-dropped": "true", "x-violation-count": "7", "x-drop-percentage": "80" };
const robot = { error: "Rate limit exceeded", detail: "Automated access detected. Slow down." };

/** Every failure that can be injected, by name. */
export const XPOSEDORNOT_FAILURES = {
  "429": always(limitReached(30)),
  "429 for days": always(limitReached(999_999)),
  "429 dropped": always(jsonAnswer(429, { detail: dropped }, droppedHeaders)),
  "429 robot": always(jsonAnswer(429, { detail: robot }, { "retry-after": "12" })),
  "429 with nonsense": always(jsonAnswer(429, {}, { "retry-after": "soon" })),
  "403 blocked": always(jsonAnswer(403, { detail: { error: "Access blocked", detail: "Blocked for 24 hours" } })),
  "403 challenge": always({ status: 403, headers: HTML, body: "<!DOCTYPE html><title>Just a moment...</title>" }),
  "200 challenge": always({ status: 200, headers: HTML, body: "<!DOCTYPE html><title>Just a moment...</title>" }),
  /** An exception on their side looks almost like "not found". */
  "404 fault": (response) => {
    const email = decodeURIComponent(response.req.url?.split("/").at(-1) ?? "");
    send(response, jsonAnswer(404, { Error: "Not found", email, status: "failed" }));
  },
  "404 detail": always(jsonAnswer(404, { detail: "Not found" })),
  "404 html": always({ status: 404, headers: HTML, body: "<html>Not found</html>" }),
  "404 processing": always(jsonAnswer(404, { detail: "An error occurred during processing" })),
  "422": always(jsonAnswer(422, { detail: [{ loc: ["path", "email"], msg: "too long" }] })),
  "500": always(jsonAnswer(500, { detail: "Internal Server Error" })),
  "502 html": always({ status: 502, headers: HTML, body: "<html>Bad gateway</html>" }),
  "empty list": always(jsonAnswer(200, { breaches: [], email: "ada@example.com", status: "success" })),
  "empty inner list": always(jsonAnswer(200, { breaches: [[]], email: "ada@example.com", status: "success" })),
  "flat list": always(jsonAnswer(200, { breaches: ["Adobe"], email: "ada@example.com", status: "success" })),
  "another's answer": always(jsonAnswer(200, { breaches: [["Canva"]], email: "eve@example.com", status: "success" })),
  "an error with breaches": always(jsonAnswer(200, { Error: "Something else", breaches: [["Adobe"]], email: null })),
  null: always(jsonAnswer(200, null)),
  "no catalogue": always(jsonAnswer(200, { status: "Not Found", message: "No breaches", exposedBreaches: null })),
  "no catalogue, other spelling": always(jsonAnswer(200, { status: "notFound", exposedBreaches: null })),
  "broken json": always({ status: 200, headers: { "content-type": "application/json" }, body: '{"breaches":[["Ado' }),
  empty: (response, { headers }) => send(response, { status: 200, headers, body: "" }),
  redirect: (response) => void response.writeHead(302, { location: response.req.url ?? "" }).end(),
  "304 unasked": (response) => void response.writeHead(304).end(),
  "too large": (response, { headers, body }) => {
    response.writeHead(200, headers);
    response.end(body + " ".repeat(9 * 1024 * 1024));
  },
  reset: (response) => void response.socket?.destroy(),
  hang: () => {},
} satisfies Record<string, Fail>;

export type XposedOrNotFailure = keyof typeof XPOSEDORNOT_FAILURES;
