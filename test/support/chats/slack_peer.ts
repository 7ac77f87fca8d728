import { type PeerRequest, refusing } from "../channel_peer.ts";
import { jsonAnswer, type PeerAnswer, textAnswer } from "../hibp_peer_failures.ts";
import { type ServiceOfChat, startChat } from "./chat_peer.ts";

type Plain = { type: "plain_text"; text: string };
type Block = { type: string; text?: Plain; elements?: { type: string; text: Plain; url: string }[] };
export type SlackMessage = { text: string; blocks?: Block[] };

/** Whether a message keeps Slack's rules. */
function isValid({ text, blocks = [] }: SlackMessage): boolean {
  const [header, section, actions] = blocks;
  const length = (plain: Plain | undefined) => [...(plain?.text ?? "")].length;
  if (typeof text !== "string" || text === "" || text.length > 40_000) return false;
  if (!header) return text.length <= 5000;
  const isSection = section?.type === "section" && length(section.text) <= 3000;
  const button = actions?.elements?.[0];
  const isButton = !button || (length(button.text) <= 75 && button.url.length <= 3000);
  return header.type === "header" && length(header.text) <= 150 && isSection && isButton;
}

/** Mattermost's answer for a webhook that was deleted. */
const INVALID = jsonAnswer(400, {
  id: "web.incoming_webhook.invalid.app_error",
  message: "Invalid webhook.",
  status_code: 400,
});

/** Incoming webhooks of Slack at `/services/…`, or of Mattermost at `/hooks/…`. */
const slackService = (path: string): ServiceOfChat<SlackMessage> => {
  const isMattermost = path.startsWith("/hooks/");
  return {
    entered: (origin) => ({ url: `${origin}${path}` }),
    secrets: [path],

    answer({ method, path: asked, body }: PeerRequest, take): PeerAnswer {
      const refuse = (status: number, error: string) =>
        isMattermost
          ? jsonAnswer(status, { id: error, message: "No", status_code: status })
          : textAnswer(status, error);
      if (method !== "POST" || asked !== path) return refuse(404, "no_service");
      const message = JSON.parse(body) as SlackMessage;
      if (!isValid(message))
        return refuse(400, isMattermost ? "web.incoming_webhook.parse.app_error" : "invalid_payload");
      take(message);
      return textAnswer(200, "ok");
    },

    titleOf: ({ text, blocks }) => blocks?.[0]?.text?.text ?? /^\*\*(.*)\*\*/.exec(text)?.[1] ?? "",
    textOf: (message) => JSON.stringify(message),
    ended: isMattermost ? INVALID : textAnswer(404, "no_service"),
  };
};

export const startSlackPeer = startChat(slackService("/services/T0123ABCD/B0123ABCD/wGkT7rQxZp2LbN8vYcHsJ4dM"));
export const startMattermostPeer = startChat(slackService("/hooks/x9k3rq8mtfbw5y1zjgde7hsaoc"));

/** Rejections specific to Slack, by name. */
export const SLACK_FAILURES = {
  "404 no_service": refusing(textAnswer(404, "no_service")),
  "410 channel_is_archived": refusing(textAnswer(410, "channel_is_archived")),
  "403 action_prohibited": refusing(textAnswer(403, "action_prohibited")),
  "400 invalid_payload": refusing(textAnswer(400, "invalid_payload")),
  "500 rollup_error": refusing(textAnswer(500, "rollup_error")),
};
export const MATTERMOST_FAILURES = { "400 invalid": refusing(INVALID) };
