import { type PeerRequest, refusing } from "../channel_peer.ts";
import { jsonAnswer, type PeerAnswer } from "../hibp_peer_failures.ts";
import { startChat } from "./chat_peer.ts";

type Run = { type: "TextRun"; text: string };
type Card = {
  type: string;
  version: string;
  body: { type: string; inlines: Run[] }[];
  actions?: { type: string; title: string; url: string }[];
};
export type TeamsMessage = { type: string; attachments: { contentType: string; contentUrl: null; content: Card }[] };

const SIGNATURE = "q7Rk2mX9vB4nT6yR8wZ1cD3fG5jL0pSaE_uViNoKqMx";
const PATH = "/workflows/4f1e0c8e6a2b4d7f9c3a5e7b1d9f2c4a/triggers/manual/paths/invoke";
const QUERY = `?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${SIGNATURE}`;
const refusal = (status: number, code: string) => jsonAnswer(status, { error: { code, message: "No." } });
const NOT_FOUND = refusal(404, "WorkflowNotFound");

const runsOf = ({ body }: Card) => body.map(({ inlines }) => inlines.map(({ text }) => text).join(""));

function isValid(message: TeamsMessage, bytes: number): boolean {
  const card = message.attachments[0]?.content;
  const isCard = message.type === "message" && card?.type === "AdaptiveCard" && card.version === "1.4";
  return isCard && bytes <= 28 * 1024 && runsOf(card).every((text) => text !== "");
}

/** A workflow of Microsoft Teams that posts the card it receives. */
export const startTeamsPeer = startChat<TeamsMessage>({
  entered: (origin) => ({ url: `${origin}${PATH}${QUERY}` }),
  secrets: [SIGNATURE],

  answer({ method, path, body }: PeerRequest, take): PeerAnswer {
    if (method !== "POST" || !path.startsWith(`${PATH}?`)) return NOT_FOUND;
    if (!path.endsWith(`sig=${SIGNATURE}`)) return refusal(401, "DirectApiAuthorizationRequired");
    const message = JSON.parse(body) as TeamsMessage;
    if (!isValid(message, Buffer.byteLength(body))) return refusal(400, "TriggerInputSchemaMismatch");
    take(message);
    return { status: 202, headers: {}, body: "" };
  },

  titleOf: ({ attachments }) => (attachments[0] ? (runsOf(attachments[0].content)[0] ?? "") : ""),
  textOf: (message) => JSON.stringify(message),
  ended: NOT_FOUND,
});

/** Rejections specific to Teams, by name. */
export const TEAMS_FAILURES = {
  "404 WorkflowNotFound": refusing(NOT_FOUND),
  "401 DirectApiAuthorizationRequired": refusing(refusal(401, "DirectApiAuthorizationRequired")),
};
