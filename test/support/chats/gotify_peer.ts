import { type PeerRequest, refusing } from "../channel_peer.ts";
import { jsonAnswer, type PeerAnswer } from "../hibp_peer_failures.ts";
import { startChat } from "./chat_peer.ts";

export type GotifyMessage = { title: string; message: string; priority: number };

const TOKEN = "AwKx3mQ9vB4nT6y";
const refusal = (errorCode: number, error: string) =>
  jsonAnswer(errorCode, { error, errorCode, errorDescription: "No" });
const UNAUTHORIZED = refusal(401, "Unauthorized");

/** An application of a Gotify server. */
export const startGotifyPeer = startChat<GotifyMessage>({
  entered: (origin) => ({ url: `${origin}/gotify/`, token: TOKEN }),
  secrets: [TOKEN],

  answer({ method, path, headers, body }: PeerRequest, take): PeerAnswer {
    if (headers["x-gotify-key"] !== TOKEN) return UNAUTHORIZED;
    if (method !== "POST" || path !== "/gotify/message") return refusal(404, "Not Found");
    const message = JSON.parse(body) as GotifyMessage;
    if (message.message === "" || !Number.isInteger(message.priority)) return refusal(400, "Bad Request");
    take(message);
    return jsonAnswer(200, { id: 25, appid: 5, ...message });
  },

  titleOf: ({ title }) => title,
  textOf: ({ title, message }) => `${title}\n${message}`,
  ended: UNAUTHORIZED,
});

/** Rejections specific to Gotify, by name. */
export const GOTIFY_FAILURES = {
  "401 deleted": refusing(UNAUTHORIZED),
  "400 invalid": refusing(refusal(400, "Bad Request")),
};
