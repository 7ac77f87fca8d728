import { objectIn } from "../../../../outbound/request.ts";
import { httpsAddress } from "../../../../shared/contacts.ts";
import { type ChatKind, labelOf } from "../chat_sender.ts";
import { pushText } from "../push_text.ts";

/** Teams takes 28 KB for a message (learn.microsoft.com), in which JSON can double the length of a text. */
const LIMITS = { title: 200, characters: 4000, bytes: 10_000 };
/** The address that a workflow shows for its trigger, on any of Microsoft's hosts. */
const PATH = /\/workflows\/[^/]+\/triggers\/[^/]+\/paths\/invoke$/;
const GONE = ["WorkflowNotFound", "WorkflowTriggerNotFound"];

/** Text as it is: runs of text have no markup. */
const plain = (text: string, more: object = {}) => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text, ...more }],
});

/** Channels of Microsoft Teams, by a workflow that posts what it receives; the connectors of old were retired. */
export const teams: ChatKind = {
  channel: "teams",
  name: "Microsoft Teams",

  placeOf({ url: typed = "" }) {
    const url = httpsAddress(typed);
    const signature = url?.searchParams.get("sig") ?? "";
    if (!url || !PATH.test(url.pathname) || signature === "") return "url";
    return { url, label: labelOf(url, signature) };
  },

  requestOf({ content }) {
    const { title, body, link } = pushText(content, LIMITS, { links: false });
    const lines = body.split("\n").filter((line) => line.trim() !== "");
    const card = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [plain(title, { weight: "Bolder", size: "Medium" }), ...lines.map((line) => plain(line))],
      ...(link && { actions: [{ type: "Action.OpenUrl", title: link.label, url: link.url }] }),
    };
    const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card };
    return { body: { type: "message", attachments: [attachment] } };
  },

  read({ text }) {
    const error = objectIn(text)?.error;
    const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
    return { error: /^\w{4,60}$/.test(code) ? code : undefined, isGone: GONE.includes(code) };
  },
};
