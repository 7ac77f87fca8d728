import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type PeerAnswer, send } from "./hibp_peer_failures.ts";
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from "./loopback_certificate.ts";

export type PeerRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  bytes?: Buffer;
};
/** A failure, and whether the message was accepted before it: then only the provider knows. */
export type Failure = { taken: boolean; fail: (response: ServerResponse, wouldBe: PeerAnswer) => void };

const HTML = { "content-type": "text/html; charset=utf-8" };
const PAGE = "<!DOCTYPE html><html><body>Sorry</body></html>";

/** Sends this response and accepts nothing. */
export const refusing = (answer: PeerAnswer): Failure => ({ taken: false, fail: (response) => send(response, answer) });
const plain = (status: number, headers: Record<string, string> = {}) =>
  refusing({ status, headers: { ...HTML, ...headers }, body: PAGE });
const taking = (fail: Failure["fail"]): Failure => ({ taken: true, fail });

/** Sends the headers and half of the body, then calls `end`. */
function sendHalf(response: ServerResponse, { status, headers, body }: PeerAnswer, end: () => void): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, "content-length": String(bytes.length) });
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), end);
}

/** Every failure that any HTTP provider can have, by name. */
export const HTTP_FAILURES = {
  "200 with nonsense": { ...plain(200), taken: true },
  "200 with other JSON": { ...refusing({ status: 200, headers: {}, body: '["ok"]' }), taken: true },
  "200 without a body": { ...refusing({ status: 200, headers: {}, body: "" }), taken: true },
  /** Redirects to itself, so that a client that follows it gets the correct response. */
  redirect: {
    taken: false,
    fail: (response) => void response.writeHead(307, { location: response.req.url ?? "" }).end(),
  },
  "400": plain(400),
  "401": plain(401),
  "403": plain(403),
  "404": plain(404),
  "408": plain(408),
  "410": plain(410),
  "413": plain(413),
  "429": plain(429),
  "429 for 30 seconds": plain(429, { "retry-after": "30" }),
  "429 for an hour": plain(429, { "retry-after": "3600" }),
  "429 for ever": plain(429, { "retry-after": "1000000000" }),
  "429 with nonsense": plain(429, { "retry-after": "soon" }),
  "500": plain(500),
  "502": { ...plain(502), taken: true },
  "503 for an hour": plain(503, { "retry-after": "3600" }),
  hang: taking(() => {}),
  /** Closes the connection before responding. */
  reset: taking((response) => void response.socket?.destroy()),
  truncated: taking((response, answer) => sendHalf(response, answer, () => response.socket?.destroy())),
  /** Sends a byte now and then, so that only a limit on the total time ends it. */
  "slow body": taking((response, { status, headers }) => {
    response.writeHead(status, headers);
    const drip = setInterval(() => response.write(" "), 10);
    response.on("close", () => clearInterval(drip));
  }),
  "large body": taking((response, { status, headers, body }) => {
    response.writeHead(status, headers);
    response.end(body + " ".repeat(1024 * 1024));
  }),
} satisfies Record<string, Failure>;
export type HttpFailure = keyof typeof HTTP_FAILURES;

type PeerOptions = {
  answer: (request: PeerRequest) => PeerAnswer | Promise<PeerAnswer>;
  /** Serves https as "hooks.example" or "localhost". */
  secure?: boolean;
};

async function read(incoming: IncomingMessage): Promise<PeerRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array));
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const bytes = Buffer.concat(chunks);
  return { method: incoming.method ?? "", path: incoming.url ?? "", headers, body: bytes.toString("utf8"), bytes };
}

/** A provider on loopback: it responds with `answer`, or fails as configured. */
export async function startChannelPeer({ answer, secure = false }: PeerOptions) {
  const requests: PeerRequest[] = [];
  const failures: Failure[] = [];
  let lasting: Failure | undefined;
  let open = 0;
  let mostOpen = 0;

  const listener: RequestListener = async (incoming, response) => {
    open++;
    mostOpen = Math.max(mostOpen, open);
    response.on("close", () => open--);
    const request = await read(incoming);
    requests.push(request);
    const failure = failures.shift() ?? lasting;
    if (!failure) return send(response, await answer(request));
    failure.fail(response, failure.taken ? await answer(request) : { status: 500, headers: {}, body: "" });
  };
  const server = secure
    ? createSecureServer({ key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE }, listener)
    : createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Cannot tell the port of the peer");
  const { port } = address;

  return {
    port,
    url: `${secure ? "https" : "http"}://127.0.0.1:${port}`,
    /** All requests, including refused ones. */
    requests,
    mostOpen: () => mostOpen,
    failNext(failure: Failure, times = 1): void {
      for (let i = 0; i < times; i++) failures.push(failure);
    },
    /** Applies until it is called without a failure. */
    failAlways(failure?: Failure): void {
      lasting = failure;
    },
    async stop(): Promise<void> {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
