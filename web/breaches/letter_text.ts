import type { Language } from "../../src/shared/language.ts";
import { type LetterAsk, type LetterCountry, lawOf } from "../../src/shared/letters.ts";
import { shownAddress } from "../../src/shared/shown_address.ts";

/** Translates a key of `locales/<language>/letter.json`. */
export type SayLetter = (key: string, values?: Record<string, string>) => string;
/** Who a letter goes to; `address` is its postal address, in lines. */
export type Party = { name: string; address: string; email: string };
/** Formats a day, YYYY-MM-DD, in the language of the letter. */
export type DayOf = (day: string) => string;

export type LetterParts = {
  to: Party;
  name: string;
  ownAddress: string;
  address: string;
  service: string;
  breachDate: string | null;
  asks: readonly LetterAsk[];
  country: LetterCountry;
  language: Language;
  sentOn: string;
};

/** A letter in its parts; each list has one line or paragraph per entry. */
export type LetterText = { from: string[]; to: string[]; day: string; subject: string; paragraphs: string[] };

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The letter to a company, as its sender sends it. */
export function letterText(parts: LetterParts, say: SayLetter, dayOf: DayOf): LetterText {
  const { to, name, ownAddress, address, service, breachDate, asks, country, sentOn } = parts;
  const law = lawOf(country);
  const asked = asks.map((ask) => {
    const article = law === "none" ? "" : ` (${say(`article.${law}.${ask}`)})`;
    return `${say(ask)}${article}.`;
  });
  return {
    from: [...linesOf(name), ...linesOf(ownAddress), shownAddress(address)],
    to: [...linesOf(to.name), ...linesOf(to.address)],
    day: dayOf(sentOn),
    subject: say(`subject.${law}`),
    paragraphs: [
      say("salutation"),
      breachDate === null
        ? say("intro_undated", { address, service })
        : say("intro", { address, service, date: dayOf(breachDate) }),
      ...asked,
      say("identity"),
      say(`deadline.${law}`),
      say("closing"),
      name,
    ],
  };
}

type Complaint = {
  authority: Pick<Party, "name" | "address">;
  name: string;
  address: string;
  company: string;
  country: LetterCountry;
  sentOn: string;
  dueOn: string;
  today: string;
};

/** The complaint to a supervisory authority about a letter without an answer. */
export function complaintText(complaint: Complaint, say: SayLetter, dayOf: DayOf): LetterText {
  const { authority, name, address, company, country, sentOn, dueOn, today } = complaint;
  const law = lawOf(country);
  return {
    from: [...linesOf(name), shownAddress(address)],
    to: [...linesOf(authority.name), ...linesOf(authority.address)],
    day: dayOf(today),
    subject: say("complaint.subject"),
    paragraphs: [
      say("salutation"),
      say("complaint.what", { sent: dayOf(sentOn), due: dayOf(dueOn), address, company }),
      say(`complaint.ask.${law}`),
      say("closing"),
      name,
    ],
  };
}

/** The whole letter as plain text. */
export function plainLetter({ from, to, day, subject, paragraphs }: LetterText): string {
  return [from.join("\n"), to.join("\n"), day, subject, ...paragraphs].filter((part) => part !== "").join("\n\n");
}

/** The body of a mail needs no addresses. */
export function mailDraft(email: string, { subject, paragraphs }: LetterText): string {
  const body = paragraphs.join("\n\n").replaceAll("\n", "\r\n");
  return `mailto:${encodeURIComponent(email).replaceAll("%40", "@")}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
