import type { TextParams } from "../ports.ts";
import type { Block, Content } from "./content.ts";
import { type MailSource, mailOf, paragraph, plainName, plainText, sayIn } from "./message.ts";

/** Requests to the owner of an address, who usually has no account. */
export const QUESTIONS = ["invitation", "invitation_reminder", "address_confirmation", "alias_confirmation"] as const;
const NEWS = ["consent_answered", "consent_given", "watching_stopped", "watching_resumed"] as const;
/** Mails about the consent of an address's owner; their texts are under `mail.<template>.`. */
export const CONSENT_TEMPLATES = [...QUESTIONS, ...NEWS] as const;
export type ConsentTemplate = (typeof CONSENT_TEMPLATES)[number];

type Plan = {
  /** The paragraphs, in reading order: keys of texts (with a dot: shared with other templates), and "button". */
  says: string[];
  button?: { label: string; page: string; withToken?: true };
  footer?: string;
};

const answer = { button: { label: "invitation.button", page: "manage-invitation", withToken: true } } as const;
const confirm = { button: { ...answer.button, label: "confirmation.button" } } as const;
const alias = { button: { label: "confirmation.button", page: "confirm-alias", withToken: true } } as const;
const manage = { button: { ...answer.button, label: "watching.button" } } as const;
const dashboard = {
  button: { label: "report.clean.button", page: "dashboard" },
  footer: "account.footer",
} as const;
const watched = { footer: "watching.footer" } as const;

/** By template, and by event where that makes a difference. */
const PLANS: Record<string, Plan> = {
  invitation: { ...answer, says: ["who", "what", "scope", "button", "validity"] },
  invitation_reminder: { ...answer, says: ["who", "button", "validity"] },
  address_confirmation: { ...confirm, says: ["who", "account", "button", "only", "invitation.validity"] },
  alias_confirmation: {
    ...alias,
    says: ["who", "address_confirmation.account", "button", "only", "invitation.validity"],
  },
  "consent_answered.accepted": { ...dashboard, says: ["what", "scope", "button"] },
  "consent_answered.declined": { ...dashboard, says: ["what", "again", "button"] },
  "consent_answered.withdrawn": { ...dashboard, says: ["what", "button"] },
  "consent_answered.expired": { ...dashboard, says: ["what", "again", "button"] },
  consent_given: { ...watched, ...manage, says: ["what", "next", "button"] },
  "watching_stopped.plan": { ...watched, ...manage, says: ["what", "next", "button"] },
  // There is nothing left to manage.
  "watching_stopped.stopped": { ...watched, says: ["what", "next"] },
  "watching_resumed.plan": { ...watched, ...manage, says: ["what", "next", "button"] },
};

type Source = MailSource & {
  /** Decrypts the mail's secret; throws when it has none. */
  token: () => string;
  /** When the link expires, if it does. */
  until: Date | undefined;
};

/** The parameters of the texts. The name is user input, so links in it are defused. */
function valuesOf({ params, until }: Source, name: string): TextParams {
  const { address = "", days, reminder, details, accountEmail } = params;
  return {
    name,
    address: plainText(address),
    ...(accountEmail !== undefined && { account: plainText(accountEmail) }),
    ...(days !== undefined && { days: Number(days) }),
    ...(reminder !== undefined && { reminder: Number(reminder) }),
    ...(details !== undefined && { details }),
    ...(until !== undefined && { until }),
  };
}

/** Asks the owner of an address, or tells the inviter or the owner about an answer or its consequences. */
export function consentContent(template: ConsentTemplate, source: Source): Content {
  const { params, language, publicUrl, token } = source;
  const happened = params.answer ?? params.reason;
  const topic = happened === undefined ? template : `${template}.${happened}`;
  const plan = PLANS[topic];
  if (!plan) throw new Error(`Cannot write the mail: there is none for "${topic}"`);
  const { says, button, footer = "footer" } = plan;

  const typed = plainName(params.inviterName ?? params.accountName ?? "");
  const name = typed || sayIn("confirmation", source)("somebody").toLowerCase();
  const words = sayIn(topic, source, valuesOf(source, name));
  const say = (key: string) => (typed ? words(key) : capitalised(words(key)));

  function blocksOf(part: string): Block[] {
    if (part === "button" && button) {
      const { label, page, withToken } = button;
      const url = `${publicUrl}/${language}/${page}${withToken ? `#t=${token()}` : ""}`;
      return [{ kind: "button", label: say(label), url }];
    }
    if (part.endsWith("account") && params.accountEmail === undefined) return [];
    return [paragraph(say(part))];
  }

  return mailOf(language, say, { heading: say("heading"), blocks: says.flatMap(blocksOf), footer: say(footer) });
}

/** For texts that begin with "somebody". */
function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
