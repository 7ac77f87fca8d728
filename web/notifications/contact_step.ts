import type { ContactLink, ContactState } from "../api/api.ts";
import type { TextId } from "../app/text_id.ts";

export type Answer = "confirm" | "unsubscribe" | "resubscribe";

type Step = { answer?: Answer; title: TextId; explanation: TextId; button?: TextId };

const CONFIRM: Step = {
  answer: "confirm",
  title: "contact.confirm_title",
  explanation: "contact.confirm_text",
  button: "contact.confirm",
};
const CONFIRMED: Step = { title: "contact.confirmed_title", explanation: "contact.confirmed_text" };
const CONFIRMED_NTFY: Step = { ...CONFIRMED, explanation: "contact.confirmed_ntfy" };
const STOP: Step = {
  answer: "unsubscribe",
  title: "contact.stop_title",
  explanation: "contact.stop_text",
  button: "contact.stop",
};
const STOPPED: Step = {
  answer: "resubscribe",
  title: "contact.stopped_title",
  explanation: "contact.stopped_text",
  button: "contact.resume",
};

const STOP_SUMMARY: Step = {
  answer: "unsubscribe",
  title: "contact.summary_title",
  explanation: "contact.summary_text",
  button: "contact.summary_stop",
};
const STOPPED_SUMMARY: Step = {
  answer: "resubscribe",
  title: "contact.summary_stopped_title",
  explanation: "contact.summary_stopped_text",
  button: "contact.summary_resume",
};

/** The action that a link offers, depending on its contact's state. */
export function stepOf({ purpose, channel }: Pick<ContactLink, "purpose" | "channel">, state: ContactState): Step {
  if (purpose === "summary") return state === "unsubscribed" ? STOPPED_SUMMARY : STOP_SUMMARY;
  if (purpose === "unsubscribe") return state === "unsubscribed" ? STOPPED : STOP;
  if (state !== "active") return CONFIRM;
  return channel === "ntfy" ? CONFIRMED_NTFY : CONFIRMED;
}
