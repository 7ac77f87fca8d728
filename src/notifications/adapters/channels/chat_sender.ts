import { type GuardOptions, guardedRequests } from "../../../outbound/guarded.ts";
import type { Request } from "../../../outbound/request.ts";
import type { Chat, ChatField } from "../../../shared/chats.ts";
import type { Entered, Message, MessageSender, Outcome } from "../../ports.ts";
import { type Answer, outcomeByStatus, type Said } from "./outcome_by_status.ts";

export type ChatOptions = GuardOptions & { userAgent: string; now: () => Date };

/** Where a chat takes messages; `label` is a name for it that holds no secret. */
export type Place = { url: URL; label: string };

/** All that is different between chats. Each has a folder of its own here. */
export type ChatKind<Known extends Place = Place> = {
  channel: Chat;
  /** What outcomes call the provider, such as "Discord". */
  name: string;
  /** Reads what was entered, or names the field that is invalid. */
  placeOf(entered: Entered): Known | ChatField;
  /** The chat drops a message that it has already, by its id: a repetition after a lost answer cannot arrive twice. */
  dropsRepetitions?: true;
  /** The request for a message; a POST to the place unless it says otherwise. */
  requestOf(
    message: Message,
    place: Known,
  ): { body: object; url?: URL; headers?: Record<string, string>; method?: Request["method"] };
  /** Reads the provider's answer. Without this, only its status counts. */
  read?(answer: Answer): Said;
};

/** The longest part of a host that is shown. */
const HOST_MAX = 48;

/** A name for a place: its host, and the end of a secret, by which its owner recognises it. */
export function labelOf({ host }: URL, secret: string): string {
  const shown = host.length > HOST_MAX ? `…${host.slice(-HOST_MAX)}` : host;
  return `${shown} …${secret.replace(/\/+$/, "").slice(-4)}`;
}

/** Says of a lost answer that it does not matter. */
function withoutDoubt(outcome: Outcome): Outcome {
  if (outcome.kind !== "retry" || !outcome.inDoubt) return outcome;
  const { inDoubt: _, reason, ...certain } = outcome;
  return { ...certain, reason: `${reason}; a repetition is dropped there` };
}

function enteredIn(secret: string | undefined): Entered {
  try {
    return JSON.parse(secret ?? "{}");
  } catch {
    return {};
  }
}

/** Messages to chats that people have connected. */
export function chatSender<Known extends Place>(
  kind: ChatKind<Known>,
  { userAgent, now, ...guard }: ChatOptions,
): MessageSender {
  const { send, find } = guardedRequests(guard);
  const { channel, name, placeOf, requestOf, read, dropsRepetitions } = kind;
  return {
    channel,

    async send(message) {
      const place = placeOf(enteredIn(message.to.secret));
      if (typeof place === "string")
        return { kind: "dead", cause: "recipient", reason: "nothing is connected here", forGood: true };
      if (message.content.code)
        return { kind: "dead", cause: "message", reason: "a sign-in code goes by mail and no other way" };
      const { body, url = place.url, headers: more, method } = requestOf(message, place);
      const headers = { "content-type": "application/json", "user-agent": userAgent, ...more };
      const response = await send(url, { method, headers, body: JSON.stringify(body) });
      const outcome = outcomeByStatus(response, name, now(), response.kind === "answer" ? read?.(response) : undefined);
      return dropsRepetitions ? withoutDoubt(outcome) : outcome;
    },

    async look(entered) {
      const place = placeOf(entered);
      if (typeof place === "string") return { wrong: place };
      if ((await find(place.url)).kind !== "found") return { wrong: "url" };
      return { entered, host: place.url.hostname, label: place.label };
    },
  };
}
