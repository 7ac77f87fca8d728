import type { AlertFacts, BreachFacts } from "../../shared/breach.ts";
import type { BreachChange } from "../../shared/breach_change.ts";
import { alertContent } from "./alert_message.ts";
import { addressFound } from "./alias_words.ts";
import { breachWords, type WordOptions } from "./breach_words.ts";
import type { Block, Content } from "./content.ts";
import { plainText } from "./message.ts";

/** An escalation of a known breach: the changes, followed by the content of an alert. */
export function worseContent(facts: AlertFacts, change: BreachChange, options: WordOptions): Content {
  const { say } = breachWords(options);
  const { address, breach, raisedAt } = facts;
  const alert = alertContent(facts, options);
  const [, ...rest] = alert.blocks;
  if (breach === null) {
    const intro: Block = { kind: "paragraph", text: say("worse.hidden.intro", { address, at: new Date(raisedAt) }) };
    const subject = say("worse.hidden.subject", { address });
    return { ...alert, subject, heading: say("worse.hidden.heading"), blocks: [intro, ...rest] };
  }
  const title = plainText(breach.title);
  return {
    ...alert,
    subject: say("worse.subject", { title }),
    preview: say("worse.preview"),
    heading: say("worse.heading"),
    blocks: [
      { kind: "paragraph", text: say("worse.intro", { address: addressFound(facts), title }) },
      ...newsOf(change, breach, options),
      ...rest,
    ],
  };
}

/** The changes and when they were noticed. Current flags are explained further down. */
function newsOf(change: BreachChange, breach: BreachFacts, options: WordOptions): Block[] {
  const { say, categories, badge } = breachWords(options);
  const origin = change.addedFlags.filter((flag) => flag === "malware" || flag === "stealerLog");
  const tags = categories({ ...breach, dataClasses: change.addedClasses });
  const note = (name: "confirmed" | "genuine"): Block => ({
    kind: "note",
    label: say(`worse.${name}_label`),
    text: say(`worse.${name}`),
  });
  return [
    ...(tags.length > 0 ? [{ kind: "tags" as const, label: say("worse.new_data"), tags }] : []),
    {
      kind: "facts",
      facts: [
        { label: say("worse.seen"), value: say("date", { date: new Date(change.at) }) },
        ...(origin.length > 0 ? [{ label: say("worse.origin"), value: origin.map(badge).join(", ") }] : []),
      ],
    },
    ...(change.removedFlags.includes("unverified") ? [note("confirmed")] : []),
    ...(change.removedFlags.includes("fabricated") ? [note("genuine")] : []),
  ];
}
