import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { parse } from "qs";
import Stripe from "stripe";
import { type StripeDeps, stripePayments } from "../../src/billing/adapters/stripe/stripe.ts";
import { jsonAnswer, type PeerAnswer, send } from "./hibp_peer_failures.ts";
import { stripeActs } from "./stripe_peer_acts.ts";
import { stripeHandlers } from "./stripe_peer_api.ts";
import { type Params, StripeRefusal, stripeState } from "./stripe_peer_state.ts";
import { checkAnswer, checkRequest, routeOf } from "./stripe_schema.ts";

export const WEBHOOK_SECRET = "whsec_test_of_the_tests_0123456789";
const SECRET_KEY = "sk_test_of_the_tests_0123456789";
const QUERY = { depth: 20, arrayLimit: 1000, parameterLimit: 5000 };

const FAILURES = {
  "500": (response) => send(response, errorOf(500, { type: "api_error", message: "Something went wrong" })),
  "429": (response) =>
    send(response, errorOf(429, { type: "invalid_request_error", code: "rate_limit", message: "Slow" })),
  "401": (response) => send(response, errorOf(401, { type: "invalid_request_error", message: "Invalid API Key" })),
  html: (response) => send(response, { status: 502, headers: { "content-type": "text/html" }, body: "<html></html>" }),
  nonsense: (response) => send(response, jsonAnswer(200, { object: "cat", data: 7 })),
  "broken json": (response) =>
    send(response, { status: 200, headers: { "content-type": "application/json" }, body: '{"id": "cus' }),
  reset: (response) => void response.socket?.destroy(),
  hang: () => {},
  /** Performs the call, but the response is lost. */
  "answer lost": (response) => void response.socket?.destroy(),
} satisfies Record<string, (response: ServerResponse) => void>;
export type StripeFailure = keyof typeof FAILURES;
export const STRIPE_FAILURES = Object.keys(FAILURES) as StripeFailure[];

function errorOf(status: number, error: Record<string, unknown>): PeerAnswer {
  return jsonAnswer(status, { error });
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of incoming) text += chunk;
  return text;
}

/** A fake of Stripe on loopback. It validates every request and its own responses against the contract. */
export async function startStripePeer({ now = () => new Date() }: { now?: () => Date } = {}) {
  const state = stripeState(now);
  const handlers = stripeHandlers(state);
  const replies = new Map<string, { params: string; answer: PeerAnswer }>();
  const requests: { operation: string; params: Params; key: string | undefined }[] = [];
  const failures: { kind: StripeFailure; operation: string | undefined }[] = [];
  const broken: unknown[] = [];

  function answerTo(
    method: string,
    url: string,
    text: string,
  ): { operation: string; answer: PeerAnswer; params: Params } {
    const [path = "", query = ""] = url.split("?", 2);
    const route = routeOf(method.toLowerCase(), path);
    if (!route)
      return { operation: "", params: {}, answer: errorOf(404, { type: "invalid_request_error", message: url }) };
    const { operation, id = "" } = route;
    const params = parse(method === "POST" ? text : query, QUERY);
    const refused = checkRequest(operation, params);
    const name = operation.operationId;
    if (refused)
      return { operation: name, params, answer: errorOf(400, { type: "invalid_request_error", ...refused }) };
    const handle = handlers[name];
    if (!handle) throw new Error(`The stand-in does not know "${name}"`);
    try {
      const body = JSON.parse(JSON.stringify(handle({ id, params })));
      checkAnswer(operation, body);
      return { operation: name, params, answer: jsonAnswer(200, body) };
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      return { operation: name, params, answer: errorOf(error.status, error.error) };
    }
  }

  /** A repeated idempotency key gets the first response; the same key for another request is refused. */
  function once_(key: string | undefined, method: string, url: string, text: string) {
    const kept = key === undefined ? undefined : replies.get(key);
    if (kept && kept.params !== `${url} ${text}`) {
      const message = "Keys for idempotent requests can only be used with the same parameters";
      return { operation: "", params: {}, answer: errorOf(400, { type: "idempotency_error", message }) };
    }
    if (kept) {
      const headers = { ...kept.answer.headers, "idempotent-replayed": "true" };
      return { operation: "replayed", params: {}, answer: { ...kept.answer, headers } };
    }
    const done = answerTo(method, url, text);
    if (key !== undefined && done.answer.status < 400)
      replies.set(key, { params: `${url} ${text}`, answer: done.answer });
    return done;
  }

  function take(operation: string): StripeFailure | undefined {
    const index = failures.findIndex((one) => one.operation === undefined || one.operation === operation);
    return index < 0 ? undefined : failures.splice(index, 1)[0]?.kind;
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = incoming;
    const text = await bodyOf(incoming);
    if (headers.authorization !== `Bearer ${SECRET_KEY}`) return FAILURES["401"](response);
    const key = headers["idempotency-key"]?.toString();
    const name = routeOf(method.toLowerCase(), url.split("?")[0] ?? "")?.operation.operationId ?? "";
    const failure = take(name);
    // A call that fails before it is performed has no effect.
    if (failure && failure !== "answer lost") return FAILURES[failure](response);
    const { operation, params, answer } = once_(key, method, url, text);
    requests.push({ operation, params, key });
    if (failure) return FAILURES[failure](response);
    send(response, { ...answer, headers: { ...answer.headers, "request-id": state.nextId("req") } });
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error) => {
      broken.push(error);
      send(response, errorOf(500, { type: "api_error", message: String(error) }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Cannot tell the port of the peer");
  const signer = new Stripe(SECRET_KEY, { telemetry: false }).webhooks;

  return {
    url: `http://127.0.0.1:${address.port}`,
    state,
    requests,
    broken,
    now,
    ...stripeActs(state),
    /** The outcome of the next calls, of one operation if it is named. */
    failNext(kind: StripeFailure, { times = 1, operation }: { times?: number; operation?: string } = {}): void {
      for (let count = 0; count < times; count++) failures.push({ kind, operation });
    },
    heal: () => void failures.splice(0),
    /** Stripe keeps idempotency keys for a day. */
    forgetKeys: () => replies.clear(),
    /** Signed as by Stripe, at the current time or another one. */
    sign: (payload: string, at: Date = now(), secret = WEBHOOK_SECRET) =>
      signer.generateTestHeaderStringAsync({ payload, secret, timestamp: Math.floor(at.getTime() / 1000) }),
    async stop(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
export type StripePeer = Awaited<ReturnType<typeof startStripePeer>>;

/** The adapter connected to a peer. */
export function stripeOn(peer: StripePeer, more: Partial<StripeDeps> = {}) {
  return stripePayments({
    baseUrl: peer.url,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    tax: "off",
    promotionCodes: true,
    publicUrl: "https://breachbell.example",
    now: peer.now,
    onTrouble: () => {},
    timeoutMs: 1000,
    ...more,
  });
}
