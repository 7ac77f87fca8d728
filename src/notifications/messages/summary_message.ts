import { PRODUCT } from "../../shared/product.ts";
import { shownAddress } from "../../shared/shown_address.ts";
import { masked } from "../contacts/contact.ts";
import type { Contact, SummaryFacts, TextParams } from "../ports.ts";
import { isYear, rangeOf } from "../summaries/summary.ts";
import { breachWords, type WordOptions } from "./breach_words.ts";
import type { Block, BreachItem, Content } from "./content.ts";
import { plainName, plainText } from "./message.ts";

const NAMED = 5;
/** What a yearly look back says in words of its own. */
const YEARLY = ["subject", "heading", "intro", "found", "handled", "why", "stop"];

/** `month`: or a year; `troubled`: contacts that alerts may not reach. */
export type SummaryParts = { month: string; facts: SummaryFacts; troubled: Contact[] };

/** What was tracked and found in a month or year, and what is pending. */
export function summaryContent({ month, facts, troubled }: SummaryParts, options: WordOptions): Content {
  const { language, publicUrl, stopUrl } = options;
  const { say: word, attribution } = breachWords(options);
  const { watched, found, handled, pending, lateSince, addresses } = facts;
  const isLookBack = isYear(month);
  const params = { product: PRODUCT, month: rangeOf(month).from, watched, found, pending };
  const say = (key: string, more: TextParams = {}) => {
    const kind = isLookBack && YEARLY.includes(key) ? "yearly_summary" : "monthly_summary";
    return word(`${kind}.${key}`, { ...params, ...more });
  };

  function itemOf({ address, pending, checkedAt }: SummaryFacts["addresses"][number]): BreachItem {
    const checked = { label: say("checked"), value: checkedAt ? word("date", { date: checkedAt }) : say("not_yet") };
    const waiting = { label: say("waiting"), value: say("alerts", { count: pending }) };
    return {
      title: shownAddress(plainText(address)),
      badges: [],
      level: pending > 0 ? "high" : "low",
      facts: pending > 0 ? [checked, waiting] : [checked],
    };
  }

  const more = watched - addresses.length;
  const rest: BreachItem[] =
    more > 0 ? [{ title: say("more", { count: more }), badges: [], level: "low", facts: [] }] : [];
  const list: Block[] = [{ kind: "breaches", label: say("addresses"), breaches: [...addresses.map(itemOf), ...rest] }];
  const numbers: Block = {
    kind: "facts",
    facts: [
      { label: say("watched"), value: say("count", { count: watched }) },
      { label: say("found"), value: say("alerts", { count: found }) },
      ...(isLookBack ? [{ label: say("handled"), value: say("alerts", { count: handled }) }] : []),
      { label: say("waiting"), value: say("alerts", { count: pending }) },
    ],
  };
  const late: Block[] = lateSince
    ? [{ kind: "note", label: say("late"), text: say("late_text", { since: lateSince }) }]
    : [];
  return {
    language,
    subject: say("subject"),
    preview: say("preview"),
    heading: say("heading"),
    blocks: [
      { kind: "paragraph", text: say(watched > 0 ? "intro" : "nothing") },
      numbers,
      ...late,
      ...(troubled.length > 0 ? [contactNote(troubled, say)] : []),
      ...(addresses.length > 0 ? list : []),
      { kind: "button", label: word("report.clean.button"), url: `${publicUrl}/${language}/dashboard` },
    ],
    footer: [say("why")],
    links: [{ label: say("stop"), url: stopUrl }],
    ...attribution([]),
  };
}

/** A webhook's path may be a secret, and a provider's name for a contact is user input. */
function nameOf(contact: Contact): string {
  return contact.value.startsWith("https:") ? masked(contact) : plainName(contact.label ?? "") || contact.value;
}

function contactNote(troubled: Contact[], say: (key: string, params?: TextParams) => string): Block {
  const names = troubled.slice(0, NAMED).map(nameOf).map(plainText).join(", ");
  const more = troubled.length - NAMED;
  const rest = more > 0 ? ` ${say("contacts_more", { count: more })}` : "";
  return { kind: "note", label: say("contacts"), text: `${names}${rest}. ${say("contacts_text")}` };
}
