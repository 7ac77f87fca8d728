import { type GuardedResponse, type GuardOptions, guardedRequests } from "../../../../outbound/guarded.ts";
import { objectIn, retryAfterMs, sendRequest } from "../../../../outbound/request.ts";
import type { Message, MessageSender, Outcome, Urgency } from "../../../ports.ts";
import { passing, unreached } from "../outcome_by_status.ts";
import { pushText } from "../push_text.ts";

export type NtfyOptions = GuardOptions & {
  /** The installation's own server, such as `https://ntfy.sh`. */
  baseUrl: string;
  /** Access token for publishing; only sent to that server. */
  token: string | undefined;
  userAgent: string;
  now: () => Date;
};

const TOPIC = /^[\w-]{1,64}$/;
/** Longer messages would become attachments. */
const LIMITS = { title: 250, characters: 3800, bytes: 3800 };
const PRIORITY: Record<Urgency, number> = { low: 2, normal: 3, high: 4, critical: 5 };
const TAG: Record<Urgency, string> = { low: "bell", normal: "bell", high: "warning", critical: "rotating_light" };
/** Error codes of ntfy for an invalid topic. */
const BAD_TOPIC = [40009, 40010];

type Place = { server: URL; topic: string; isOurs: boolean };

/** Topics can be read by anyone who knows the name, so there are no unsubscribe links, codes or other secrets. */
function bodyOf({ content, urgency = "normal" }: Message, topic: string): string {
  const { title, body: message, link } = pushText(content, LIMITS, { links: false });
  const more = link ? { click: link.url } : {};
  return JSON.stringify({ topic, title, message, priority: PRIORITY[urgency], tags: [TAG[urgency]], ...more });
}

/** Maps an answer to an outcome. Errors of a foreign server only affect its contact. */
function outcomeOf(response: GuardedResponse, isOurs: boolean, now: Date): Outcome {
  const scope = isOurs ? "channel" : "contact";
  const refusal = (reason: string): Outcome => ({ kind: "dead", cause: "recipient", reason });
  if (response.kind === "refused") return { kind: "dead", cause: "recipient", reason: response.reason, forGood: true };
  if (response.kind !== "answer") return unreached("the ntfy server", scope, response);
  const { status, header, text } = response;
  const body = objectIn(text);
  const code = Number.isSafeInteger(body?.code) ? Number(body?.code) : undefined;
  const reason = `The ntfy server answered ${code ?? status}`;
  if (status === 200) {
    if (body?.event === "message" && typeof body.id === "string")
      return { kind: "delivered", providerId: body.id.slice(0, 100) };
    return { kind: "retry", scope, reason: "Cannot understand the ntfy server's answer", inDoubt: true };
  }
  if (status === 429 || status === 408 || status >= 500)
    return passing(status, scope, reason, retryAfterMs(header("Retry-After"), now));
  if (status === 413) return { kind: "dead", cause: "message", reason };
  // 401 is an invalid token; 403 is a topic that is not writable.
  if (status === 403 || (code !== undefined && BAD_TOPIC.includes(code))) return refusal(reason);
  if (!isOurs) return refusal(reason);
  return { kind: "misconfigured", scope: status === 400 ? "message" : "channel", reason };
}

/** Push messages by ntfy, to topics of the installation's own server or of any other on the public internet. */
export function ntfySender({ baseUrl, token, userAgent, now, ...guard }: NtfyOptions): MessageSender {
  const ours = new URL(baseUrl);
  const { send, find } = guardedRequests(guard);
  const { timeoutMs = 10_000, ca, proxy } = guard;

  function placeOf(value: string): Place | undefined {
    if (TOPIC.test(value)) return { server: ours, topic: value, isOurs: true };
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const topic = url?.pathname.slice(1) ?? "";
    if (!url || !TOPIC.test(topic)) return undefined;
    const isOurs = url.origin === ours.origin;
    return { server: isOurs ? ours : new URL(url.origin), topic, isOurs };
  }

  function publish({ server, topic, isOurs }: Place, message: Message): Promise<GuardedResponse> {
    const headers = { "content-type": "application/json", "user-agent": userAgent };
    const body = bodyOf(message, topic);
    if (!isOurs) return send(server, { headers, body });
    const credentials = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return sendRequest(server, { headers: { ...headers, ...credentials }, body, timeoutMs, ca, proxy });
  }

  return {
    channel: "ntfy",

    async send(message): Promise<Outcome> {
      const place = placeOf(message.to.value);
      if (!place) return { kind: "dead", cause: "recipient", reason: "no ntfy topic", forGood: true };
      if (message.content.code)
        return { kind: "dead", cause: "message", reason: "a sign-in code goes by mail and no other way" };
      return outcomeOf(await publish(place, message), place.isOurs, now());
    },

    /** Topics need no registration; only the server's address can be checked. */
    async check(value) {
      const place = placeOf(value);
      if (!place) return { kind: "invalid" };
      if (place.isOurs) return { kind: "valid", devices: [] };
      const found = await find(place.server);
      return found.kind === "found" ? { kind: "valid", devices: [] } : { kind: "invalid" };
    },
  };
}
