import { type PeerRequest, refusing } from "../channel_peer.ts";
import { jsonAnswer, type PeerAnswer } from "../hibp_peer_failures.ts";
import { startChat } from "./chat_peer.ts";

export type AppriseMessage = { title: string; body: string; type: string; format: string; tag?: string };

const PATH = "/notify/h7Xk2mQ9vB4nT6yR";
const NONE: PeerAnswer = { status: 204, headers: {}, body: "" };
const FAILED = jsonAnswer(424, { error: "One or more notification could not be sent" });

/** A configuration that an Apprise API server keeps. */
export const startApprisePeer = startChat<AppriseMessage>({
  entered: (origin) => ({ url: `${origin}${PATH}`, tag: "family" }),
  secrets: [PATH],

  answer({ method, path, body }: PeerRequest, take): PeerAnswer {
    if (method !== "POST" || path !== PATH) return NONE;
    const message = JSON.parse(body) as AppriseMessage;
    if (message.body === "" || !["info", "success", "warning", "failure"].includes(message.type))
      return jsonAnswer(400, { error: "Bad FORM Payload provided" });
    if (message.tag !== "family") return FAILED;
    take(message);
    return jsonAnswer(200, { details: [], error: null });
  },

  titleOf: ({ title }) => title,
  textOf: ({ title, body }) => `${title}\n${body}`,
  ended: NONE,
});

/** Rejections specific to Apprise, by name. */
export const APPRISE_FAILURES = { "204": refusing(NONE), "424": refusing(FAILED) };
