import { type Failure, type PeerRequest, refusing, startChannelPeer } from "./channel_peer.ts";
import { jsonAnswer, type PeerAnswer } from "./hibp_peer_failures.ts";

export const NTFY_TOKEN = "tk_7eevizlsiwf9yi4uxsrs83r4352o0";
export const TOPIC = "alice-breaches-8f2k";
const MESSAGE_LIMIT = 4096;

export type NtfyMessage = {
  topic: string;
  title: string;
  message: string;
  priority: number;
  tags: string[];
  click?: string;
};

const refusal = (code: number, error: string): PeerAnswer =>
  jsonAnswer(Math.floor(code / 100), { code, http: Math.floor(code / 100), error, link: "https://ntfy.sh/docs" });

/** Rejections specific to ntfy, by name. */
export const NTFY_FAILURES = {
  "40009": refusing(refusal(40009, "invalid request: topic invalid")),
  "40024": refusing(refusal(40024, "invalid request: request body must be valid JSON")),
  "40101": refusing(refusal(40101, "unauthorized")),
  "40301": refusing(refusal(40301, "forbidden")),
  "41301": refusing(refusal(41301, "attachment too large, or bandwidth limit reached")),
  "42908": refusing(refusal(42908, "limit reached: too many messages")),
  "50001": refusing(refusal(50001, "internal server error")),
} satisfies Record<string, Failure>;

/** A fake ntfy server on loopback that accepts messages as JSON. */
export async function startNtfyPeer({ secure = false }: { secure?: boolean } = {}) {
  const received: NtfyMessage[] = [];
  const reserved = new Set<string>();

  function answer({ method, path, headers, body }: PeerRequest): PeerAnswer {
    const { authorization } = headers;
    if (method !== "POST" || path !== "/") return refusal(40401, "page not found");
    if (authorization !== undefined && authorization !== `Bearer ${NTFY_TOKEN}`) return refusal(40101, "unauthorized");
    let message: NtfyMessage;
    try {
      message = JSON.parse(body) as NtfyMessage;
    } catch {
      return refusal(40024, "invalid request: request body must be valid JSON");
    }
    if (!/^[-_A-Za-z0-9]{1,64}$/.test(message.topic ?? "")) return refusal(40009, "invalid request: topic invalid");
    if (!(message.priority >= 1 && message.priority <= 5)) return refusal(40007, "invalid priority parameter");
    if (reserved.has(message.topic)) return refusal(40301, "forbidden");
    if (Buffer.byteLength(message.message) > MESSAGE_LIMIT)
      return refusal(41301, "attachment too large, or bandwidth limit reached");
    received.push(message);
    return jsonAnswer(200, {
      id: "hwQ2YpKdmg",
      time: 1_772_438_400,
      expires: 1_772_481_600,
      event: "message",
      ...message,
    });
  }

  const peer = await startChannelPeer({ answer, secure });
  return {
    ...peer,
    /** Everything it accepted, even if its response was then lost. */
    received,
    /** Makes the topic reserved: only its owner may publish. */
    reserve: (topic: string): void => void reserved.add(topic),
  };
}
