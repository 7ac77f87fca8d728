import { VERIFY_SAMPLES } from "./openapi_samples.ts";

const text = (description: string) => ({ type: "string", description });
const instant = (description: string) => ({ type: "string", format: "date-time", description });
const maybe = (type: object, description: string) => ({ anyOf: [type, { type: "null" }], description });
const object = (properties: Record<string, object>, description: string) => {
  return { type: "object", properties, required: Object.keys(properties), description };
};
const header = (name: string, description: string) => {
  return { in: "header", name, required: true, schema: { type: "string" }, description };
};

const breach = object(
  {
    name: text("The entry’s name at its source."),
    title: text("Its display title."),
    domain: text("The domain of the breached service."),
    breachDate: {
      type: ["string", "null"],
      description: "When the breach happened, as `YYYY-MM-DD`; null while no source has said it.",
    },
    addedDate: text("When the source learned of it."),
    dataClasses: { type: "array", items: { type: "string" }, description: "The kinds of data that were stolen." },
    flags: { type: "array", items: { type: "string" }, description: "What makes the entry doubtful or special." },
    pwnCount: { type: "number", description: "How many accounts are in the breach." },
    passwordStorage: maybe({ type: "string" }, "How passwords were kept."),
    manyServices: { type: "boolean", description: "Whether it tells of many services, or of none that is known." },
    logo: maybe({ type: "string" }, "The path of the service’s logo."),
  },
  "What is known of the breach.",
);

const alert = object(
  {
    id: text("The id of the alert, as in `GET /api/alerts`."),
    address: text("The watched address."),
    raisedAt: instant("When the alert was raised."),
    breach: maybe(breach, "Null where the owner of the address shares no details."),
    foundUnder: {
      type: "array",
      items: { type: "string" },
      description: "The aliases under which it was found, and the address itself if it is among them; else empty.",
    },
  },
  "One alert.",
);

const link = object({ label: text("Its words."), url: text("Where it leads.") }, "A link.");

/** The body of a webhook, as `notifications/adapters/channels/webhook/webhook.ts` writes it. */
export const WEBHOOK_MESSAGE = object(
  {
    type: text(
      "`alert`: a new breach. `worse`: a breach became worse than told. `report`: the first check of an address. `digest`: several alerts in one. `test`, `confirmation` and others: words only.",
    ),
    timestamp: instant("When it happened."),
    data: object(
      {
        id: text("The id of the message; the same in `webhook-id`, and the same again when it is sent again."),
        language: text("The language of its words."),
        urgency: text("`low`, `normal` or `critical`."),
        title: text("The subject, for people."),
        text: text("The message, for people."),
        link: maybe(link, "Where to go on."),
        alerts: {
          type: "array",
          items: alert,
          description: "The facts, for programs; empty where it is about no alert.",
        },
        stopUrl: maybe({ type: "string" }, "A POST to it ends the messages to this contact."),
        attribution: maybe(
          object(
            { text: text("Its words."), links: { type: "array", items: link, description: "Its links." } },
            "A credit.",
          ),
          "Whom to credit for the facts.",
        ),
      },
      "The message.",
    ),
  },
  "A message to a webhook.",
);

/** The webhooks that we call: the channel `webhook` of contacts. */
export const WEBHOOKS = {
  message: {
    post: {
      operationId: "receiveMessage",
      summary: "An alert or another message, signed",
      description:
        "Sent to the https address of a webhook contact, signed in the form of Standard Webhooks: `webhook-signature` holds `v1,` and the base64 HMAC-SHA256 of `webhook-id.webhook-timestamp.body` under the contact’s secret, which its account fetches once on the page of contacts. Refuse what is not signed or more than five minutes old, and take each `webhook-id` once: the same message can come twice when an answer was lost. Answer with 2xx within ten seconds. 408, 425, 429 and 5xx are tried again, with `Retry-After` where it is given; 410 switches the contact off; redirects are not followed.",
      tags: ["Webhooks"],
      // It is authenticated by its signature, which is no scheme of OpenAPI.
      security: [],
      parameters: [
        header("webhook-id", "The id of the message, the same for every try."),
        header("webhook-timestamp", "When this try was made, in seconds since 1970."),
        header("webhook-signature", "One or more signatures, with a space between them."),
      ],
      requestBody: {
        required: true,
        description: "The message.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/WebhookMessage" } } },
      },
      responses: {
        "2XX": { description: "Taken." },
        "410": { description: "Nothing more is wanted here; the contact is switched off." },
      },
      "x-codeSamples": VERIFY_SAMPLES,
    },
  },
};
