import { objectIn } from "../../../../outbound/request.ts";
import { httpsAddress } from "../../../../shared/contacts.ts";
import type { Message, Urgency } from "../../../ports.ts";
import { type ChatKind, labelOf, type Place } from "../chat_sender.ts";
import { pushText } from "../push_text.ts";

/** Gotify has no limits of its own. */
const LIMITS = { title: 200, characters: 4000, bytes: 16_000 };
/** Its app is silent below 4, shows a notification up to 7, and one that stays in view from 8. */
const PRIORITY: Record<Urgency, number> = { low: 2, normal: 5, high: 7, critical: 9 };
const TOKEN = /^[\w.-]+$/;

type App = Place & { token: string };

function messageOf({ content, urgency = "normal" }: Message): object {
  const { title, body, link } = pushText(content, LIMITS, { links: false });
  const click = link && { "client::notification": { click: { url: link.url } } };
  return {
    title,
    // The address is in the text as well, as the web page of Gotify does not show where a click leads.
    message: link ? `${body}\n\n${link.url}` : body,
    priority: PRIORITY[urgency],
    extras: { "client::display": { contentType: "text/plain" }, ...click },
  };
}

/** An application of a Gotify server, which notifies the person it belongs to. */
export const gotify: ChatKind<App> = {
  channel: "gotify",
  name: "the Gotify server",

  placeOf({ url: typed = "", token = "" }) {
    const url = httpsAddress(typed);
    if (url?.search !== "") return "url";
    return TOKEN.test(token) ? { url, token, label: labelOf(url, token) } : "token";
  },

  requestOf: (message, { url, token }) => ({
    url: new URL(`${url.pathname.replace(/\/+$/, "")}/message`, url),
    headers: { "x-gotify-key": token },
    body: messageOf(message),
  }),

  read({ text, status }) {
    const id = objectIn(text)?.id;
    return {
      isAccepted: typeof id === "number",
      providerId: typeof id === "number" ? String(id) : undefined,
      // The application was deleted, or its token.
      isGone: status === 401,
      isMessage: status === 400,
    };
  },
};
