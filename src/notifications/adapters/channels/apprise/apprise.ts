import { httpsAddress } from "../../../../shared/contacts.ts";
import { type ChatKind, labelOf, type Place } from "../chat_sender.ts";
import { pushText } from "../push_text.ts";

/** Each service that Apprise passes a message to has limits of its own, which Apprise keeps. */
const LIMITS = { title: 200, characters: 2000, bytes: 8000 };
/** The address of a configuration that Apprise keeps, below any path. */
const PATH = /\/notify\/[\w-]{1,128}\/?$/;
const TYPE = { low: "info", normal: "info", high: "warning", critical: "failure" } as const;

type Configuration = Place & { tag: string };

/** Any of the services of an Apprise API server (github.com/caronc/apprise-api), by a configuration that it keeps. */
export const apprise: ChatKind<Configuration> = {
  channel: "apprise",
  name: "the Apprise server",

  placeOf({ url: typed = "", tag = "" }) {
    const url = httpsAddress(typed);
    if (!url || !PATH.test(url.pathname) || url.search !== "") return "url";
    return { url, tag, label: labelOf(url, url.pathname) };
  },

  requestOf({ content, urgency = "normal" }, { tag }) {
    const { title, body, link } = pushText(content, LIMITS, { links: false });
    const text = link ? `${body}\n\n${link.label}: ${link.url}` : body;
    return { body: { title, body: text, type: TYPE[urgency], format: "text", ...(tag !== "" && { tag }) } };
  },

  // 204: there is no such configuration; 424: at least one of its services failed.
  read: ({ status }) => ({ isGone: status === 204, isPartly: status === 424 }),
};
