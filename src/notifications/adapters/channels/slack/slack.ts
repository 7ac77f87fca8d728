import { objectIn } from "../../../../outbound/request.ts";
import { httpsAddress } from "../../../../shared/contacts.ts";
import type { Message } from "../../../ports.ts";
import { type ChatKind, labelOf } from "../chat_sender.ts";
import { markdownOf } from "../markdown.ts";
import { pushText } from "../push_text.ts";

/** Slack: 150 characters for a header, 3,000 for a text (docs.slack.dev/reference/block-kit/blocks). */
const SLACK = { title: 150, characters: 2900, bytes: 11_600 };
/** Rocket.Chat: 5,000 characters; escaping can double the length of a text. */
const OTHERS = { title: 150, characters: 2000, bytes: 8000 };
/** Slack's own addresses, and those of Mattermost and Rocket.Chat. */
const SLACK_PATH = /^\/services\/./;
const OTHER_PATH = /\/hooks\/./;
/** Answers of Slack that end a webhook (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). */
const GONE = ["no_service", "no_service_id", "no_team", "channel_not_found", "channel_is_archived", "invalid_token"];
const GONE_AT_MATTERMOST = "web.incoming_webhook.invalid.app_error";

/** Blocks of plain text, in which nothing can be a mention, a link or a format. */
function blocksOf(message: Message): object {
  const { title, body, link } = pushText(message.content, SLACK, { links: false });
  const plain = (text: string) => ({ type: "plain_text", text, emoji: false });
  const button = link && { type: "button", text: plain(link.label.slice(0, 75)), url: link.url };
  return {
    // What notifications show. Slack reads these three as markup.
    text: title.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    blocks: [
      { type: "header", text: plain(title) },
      { type: "section", text: plain(body) },
      ...(button ? [{ type: "actions", elements: [button] }] : []),
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** Mattermost and Rocket.Chat show the text, as Markdown, in which these words would notify everyone. */
function textOf(message: Message): object {
  const text = markdownOf(pushText(message.content, OTHERS, { links: false }));
  return { text: text.replaceAll(/(?<!\w)@(?=(all|channel|everyone|here)\b)/gi, "@\u200b") };
}

/** Incoming webhooks of Slack, and of servers that take the same requests. */
export const slack: ChatKind = {
  channel: "slack",
  name: "the chat server",

  placeOf({ url: typed = "" }) {
    const url = httpsAddress(typed);
    if (!url || !(SLACK_PATH.test(url.pathname) || OTHER_PATH.test(url.pathname))) return "url";
    return { url, label: labelOf(url, url.pathname) };
  },

  requestOf: (message, { url }) => ({ body: SLACK_PATH.test(url.pathname) ? blocksOf(message) : textOf(message) }),

  read({ text }) {
    const body = objectIn(text);
    const error = /^[a-z_]{4,40}$/.test(text) ? text : typeof body?.id === "string" ? body.id : undefined;
    return {
      // Slack and Mattermost answer "ok"; Rocket.Chat answers in JSON.
      isAccepted: text.trim() === "ok" || body?.success === true,
      error: error !== undefined && /^[\w.]{4,60}$/.test(error) ? error : undefined,
      isGone: error !== undefined && (GONE.includes(error) || error === GONE_AT_MATTERMOST),
      isMessage: error === "invalid_payload",
    };
  },
};
