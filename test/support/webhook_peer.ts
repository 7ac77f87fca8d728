import { createHmac, timingSafeEqual } from "node:crypto";
import { type PeerRequest, startChannelPeer } from "./channel_peer.ts";
import { jsonAnswer, type PeerAnswer } from "./hibp_peer_failures.ts";

export const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
/** As Standard Webhooks recommends to receivers. */
const WINDOW_SECONDS = 5 * 60;

export type WebhookMessage = {
  type: string;
  timestamp: string;
  data: {
    id: string;
    language: string;
    urgency: string;
    title: string;
    text: string;
    link: { label: string; url: string } | null;
    alerts: {
      id: string;
      address: string;
      raisedAt: string;
      breach: Record<string, unknown> | null;
      foundUnder: string[];
    }[];
    stopUrl: string | null;
    attribution: { text: string; links: { label: string; url: string }[] } | null;
  };
};

/** A customer's server: it verifies signature and age, and accepts each message once. */
export async function startWebhookPeer({ now, secret = WEBHOOK_SECRET }: { now: () => Date; secret?: string }) {
  const received: WebhookMessage[] = [];
  const seen = new Set<string>();
  const refusals: string[] = [];
  let repeated = 0;
  let known = secret;

  function problemOf({ headers, body }: PeerRequest): string | undefined {
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
    if (!id || !timestamp || !signatures) return "a header is missing";
    const age = now().getTime() / 1000 - Number(timestamp);
    if (!(Math.abs(age) <= WINDOW_SECONDS)) return "too old, or from the future";
    const key = Buffer.from(known.replace(/^whsec_/, ""), "base64");
    const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
    const isGenuine = signatures.split(" ").some((signature) => {
      const [version, mac = ""] = signature.split(",");
      const given = Buffer.from(mac, "base64");
      return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
    });
    return isGenuine ? undefined : "wrong signature";
  }

  function answer(request: PeerRequest): PeerAnswer {
    const problem = request.method === "POST" ? problemOf(request) : "not a POST";
    if (problem !== undefined) {
      refusals.push(problem);
      return jsonAnswer(401, { problem });
    }
    const id = request.headers["webhook-id"] ?? "";
    if (seen.has(id)) repeated++;
    else received.push(JSON.parse(request.body) as WebhookMessage);
    seen.add(id);
    return { status: 200, headers: { "content-type": "text/plain" }, body: "thank you" };
  }

  const peer = await startChannelPeer({ answer, secure: true });
  return {
    ...peer,
    /** A contact's value; its host name only resolves with the test's own resolver. */
    hook: `https://hooks.example:${peer.port}/breaches?from=breachbell`,
    /** Each message once, deduplicated by id. */
    received,
    refusals,
    /** The secret as it was shown to its owner. */
    use(shown: string): void {
      known = shown;
    },
    repeated: () => repeated,
    /** Replays the same request, as an eavesdropper could. */
    replay: (request: PeerRequest) => answer(request).status,
  };
}
