import { boundedWait, objectIn } from "../../../../outbound/request.ts";
import { httpsAddress } from "../../../../shared/contacts.ts";
import { type ChatKind, labelOf } from "../chat_sender.ts";
import { markdown } from "../markdown.ts";
import { pushText } from "../push_text.ts";

/** 2,000 characters for the content and 4,096 for an embed (docs.discord.com); escaping can double the length of a text. */
const LIMITS = { title: 200, characters: 1800, bytes: 7200 };
const PATH = /^\/api(\/v\d+)?\/webhooks\/\d+\/[\w-]+$/;
/** Unknown channel, unknown webhook, invalid webhook token. */
const GONE = [10_003, 10_015, 50_027];
/** Empty message, invalid form. */
const BAD_MESSAGE = [50_006, 50_035];

/** Webhooks of Discord. */
export const discord: ChatKind = {
  channel: "discord",
  name: "Discord",

  placeOf({ url: typed = "" }) {
    const url = httpsAddress(typed);
    if (!url || !PATH.test(url.pathname)) return "url";
    // A webhook can post in a thread of its channel. With `wait`, the answer says whether the message was stored.
    const thread = url.searchParams.get("thread_id");
    url.search = new URLSearchParams({ wait: "true", ...(thread !== null && { thread_id: thread }) }).toString();
    return { url, label: labelOf(url, url.pathname) };
  },

  requestOf({ content }) {
    const { title, body, link } = pushText(content, LIMITS, { links: false });
    const more = link ? `\n\n[${markdown(link.label)}](${link.url})` : "";
    return {
      body: {
        // What notifications show.
        content: `**${markdown(title)}**`,
        embeds: [{ description: markdown(body) + more }],
        allowed_mentions: { parse: [] },
      },
    };
  },

  read({ text, status }) {
    const body = objectIn(text);
    const code = typeof body?.code === "number" ? body.code : undefined;
    const seconds = status === 429 && typeof body?.retry_after === "number" ? body.retry_after : undefined;
    return {
      isAccepted: typeof body?.id === "string",
      providerId: typeof body?.id === "string" ? body.id : undefined,
      error: code?.toString(),
      isGone: code !== undefined && GONE.includes(code),
      isMessage: code !== undefined && BAD_MESSAGE.includes(code),
      afterMs: seconds === undefined ? undefined : boundedWait(seconds * 1000),
      scope: body?.global === true ? "channel" : undefined,
    };
  },
};
