import { type PeerRequest, refusing } from "../channel_peer.ts";
import { jsonAnswer, type PeerAnswer } from "../hibp_peer_failures.ts";
import { startChat } from "./chat_peer.ts";

export type DiscordMessage = {
  content: string;
  embeds: { description: string }[];
  allowed_mentions: { parse: string[] };
};

const PATH = "/api/webhooks/1190612345678901234/h7Xk2mQ9vB4nT6yR8wZ1cD3fG5jL0pS-aE_uViNoKqMx";
const refusal = (status: number, code: number, message: string) => jsonAnswer(status, { message, code });
const UNKNOWN = refusal(404, 10_015, "Unknown Webhook");

/** Whether a message keeps Discord's rules; a number of characters is one of UTF-16 units there. */
function isValid({ content, embeds, allowed_mentions: mentions }: DiscordMessage): boolean {
  const lengths = embeds.map(({ description }) => description.length);
  const fits = content.length <= 2000 && lengths.every((length) => length > 0 && length <= 4096);
  return content !== "" && fits && mentions.parse.length === 0;
}

/** A webhook of Discord. */
export const startDiscordPeer = startChat<DiscordMessage>({
  entered: (origin) => ({ url: `${origin}${PATH}` }),
  secrets: [PATH],

  answer({ method, path, body }: PeerRequest, take): PeerAnswer {
    if (method !== "POST" || path !== `${PATH}?wait=true`) return UNKNOWN;
    const message = JSON.parse(body) as DiscordMessage;
    if (!isValid(message)) return refusal(400, 50_035, "Invalid Form Body");
    take(message);
    return jsonAnswer(200, { id: "1190698765432109876", type: 0, content: message.content });
  },

  titleOf: ({ content }) => content.slice(2, -2),
  textOf: (message) => JSON.stringify(message),
  ended: UNKNOWN,
});

/** Rejections specific to Discord, by name. */
export const DISCORD_FAILURES = {
  "404 10015": refusing(UNKNOWN),
  "401 50027": refusing(refusal(401, 50_027, "Invalid Webhook Token")),
  "400 50035": refusing(refusal(400, 50_035, "Invalid Form Body")),
  "429 for a webhook": refusing(
    jsonAnswer(
      429,
      { message: "You are being rate limited.", retry_after: 64.57, global: false },
      { "retry-after": "65" },
    ),
  ),
  "429 for all": refusing(jsonAnswer(429, { message: "You are being rate limited.", retry_after: 0.3, global: true })),
};
