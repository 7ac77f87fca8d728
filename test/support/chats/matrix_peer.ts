import { type PeerRequest, refusing } from "../channel_peer.ts";
import { jsonAnswer, type PeerAnswer } from "../hibp_peer_failures.ts";
import { startChat } from "./chat_peer.ts";

export type MatrixMessage = { msgtype: string; body: string; format: string; formatted_body: string };

const ROOM = "!qporfwtrvKxnSMYBDL:example.org";
const TOKEN = "syt_YnJlYWNoYmVsbA_xQpLmRkTnVwYzSdFgHjKl_1aB2cD";
const SENT = `/_matrix/client/v3/rooms/${encodeURIComponent(ROOM)}/send/m.room.message/`;
const refusal = (status: number, errcode: string, more: object = {}, headers?: Record<string, string>) =>
  jsonAnswer(status, { errcode, error: "No", ...more }, headers);
const UNKNOWN_TOKEN = refusal(401, "M_UNKNOWN_TOKEN", { soft_logout: false });

/** A room of a Matrix server, which drops what comes with the id of an earlier message. */
export const startMatrixPeer = startChat<MatrixMessage>(() => {
  const known = new Map<string, string>();
  return {
    entered: (origin) => ({ url: origin, room: ROOM, token: TOKEN }),
    secrets: [TOKEN],

    answer({ method, path, headers, body }: PeerRequest, take): PeerAnswer {
      if (headers.authorization !== `Bearer ${TOKEN}`) return UNKNOWN_TOKEN;
      if (method !== "PUT" || !path.startsWith(SENT)) return refusal(404, "M_UNRECOGNIZED");
      const id = path.slice(SENT.length);
      const before = known.get(id);
      if (before !== undefined) return jsonAnswer(200, { event_id: before });
      if (Buffer.byteLength(body) > 60_000) return refusal(413, "M_TOO_LARGE");
      const message = JSON.parse(body) as MatrixMessage;
      if (message.msgtype !== "m.text" || message.body === "") return refusal(400, "M_BAD_JSON");
      take(message);
      const eventId = `$${crypto.randomUUID()}`;
      known.set(id, eventId);
      return jsonAnswer(200, { event_id: eventId });
    },

    titleOf: ({ body }) => body.split("\n")[0] ?? "",
    textOf: ({ body }) => body,
    ended: UNKNOWN_TOKEN,
  };
});

/** Rejections specific to Matrix, by name. */
export const MATRIX_FAILURES = {
  "401 M_UNKNOWN_TOKEN": refusing(UNKNOWN_TOKEN),
  "403 M_FORBIDDEN": refusing(refusal(403, "M_FORBIDDEN")),
  "413 M_TOO_LARGE": refusing(refusal(413, "M_TOO_LARGE")),
  "429 M_LIMIT_EXCEEDED": refusing(refusal(429, "M_LIMIT_EXCEEDED", { retry_after_ms: 2500 })),
};
