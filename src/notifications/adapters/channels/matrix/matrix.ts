import { boundedWait, objectIn } from "../../../../outbound/request.ts";
import { httpsAddress } from "../../../../shared/contacts.ts";
import { type ChatKind, labelOf, type Place } from "../chat_sender.ts";
import { pushText } from "../push_text.ts";

/** An event has at most 65,536 bytes, in which the text is twice, once escaped (spec.matrix.org/latest/client-server-api). */
const LIMITS = { title: 200, characters: 4000, bytes: 8000 };
const ROOM = /^![^\s/]+$/;
const TOKEN = /^[\x21-\x7e]+$/;

type Room = Place & { room: string; token: string };

/** Rooms of Matrix, in which a person's or a bot's access token writes. */
export const matrix: ChatKind<Room> = {
  channel: "matrix",
  name: "the Matrix server",
  // By the transaction id at the end of the address.
  dropsRepetitions: true,

  placeOf({ url: typed = "", room = "", token = "" }) {
    const url = httpsAddress(typed);
    if (url?.search !== "") return "url";
    if (!ROOM.test(room)) return "room";
    if (!TOKEN.test(token)) return "token";
    return { url, room, token, label: labelOf(url, room) };
  },

  requestOf({ content, deliveryId }, { url, room, token }) {
    const { title, body, link } = pushText(content, LIMITS, { links: false });
    const base = url.pathname.replace(/\/+$/, "");
    const path = `${base}/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${deliveryId}`;
    const more = link ? `<p><a href="${Bun.escapeHTML(link.url)}">${Bun.escapeHTML(link.label)}</a></p>` : "";
    return {
      method: "PUT",
      url: new URL(path, url),
      headers: { authorization: `Bearer ${token}` },
      body: {
        msgtype: "m.text",
        body: [title, body, ...(link ? [link.url] : [])].join("\n\n"),
        format: "org.matrix.custom.html",
        formatted_body: `<p><strong>${Bun.escapeHTML(title)}</strong></p><p>${Bun.escapeHTML(body).replaceAll("\n", "<br>")}</p>${more}`,
        // Mentions are only those that are listed here.
        "m.mentions": {},
      },
    };
  },

  read({ text, status }) {
    const said = objectIn(text);
    const code =
      typeof said?.errcode === "string" && /^[A-Z_.a-z]{4,60}$/.test(said.errcode) ? said.errcode : undefined;
    const wait = status === 429 && typeof said?.retry_after_ms === "number" ? said.retry_after_ms : undefined;
    return {
      isAccepted: typeof said?.event_id === "string",
      providerId: typeof said?.event_id === "string" ? said.event_id : undefined,
      error: code,
      // A soft logout invalidates the token as well.
      isGone: code === "M_UNKNOWN_TOKEN" || code === "M_USER_DEACTIVATED",
      isMessage: code === "M_TOO_LARGE" || code === "M_BAD_JSON",
      afterMs: wait === undefined ? undefined : boundedWait(wait),
    };
  },
};
