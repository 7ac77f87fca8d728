import type { AlertFacts } from "../shared/breach.ts";
import { PRODUCT } from "../shared/product.ts";
import { adviceFor } from "./advice.ts";
import { breachWords, type WordOptions } from "./breach_words.ts";
import { DAY_MS } from "./contact.ts";
import type { Block, Content } from "./content.ts";
import { plainText } from "./message.ts";

const LATE_AFTER_DAYS = 90;

/** Days between the breach and the day on which it became known. */
export function daysHidden({ breachDate, addedDate }: AlertFacts["breach"]): number {
  return Math.floor((Date.parse(addedDate) - Date.parse(breachDate)) / DAY_MS);
}

/** One new breach of one address. */
export function alertContent({ alertId, address, breach }: AlertFacts, options: WordOptions): Content {
  const { language, publicUrl, stopUrl } = options;
  const { say, categories, title, dates, flagNotes, attribution } = breachWords(options);
  const name = plainText(breach.title);
  const late: Block[] =
    daysHidden(breach) > LATE_AFTER_DAYS
      ? [{ kind: "note", label: say("alert.late_label"), text: say("alert.late") }]
      : [];
  return {
    language,
    subject: say("alert.subject", { title: name }),
    preview: say("alert.preview", { address }),
    heading: say("alert.heading"),
    blocks: [
      { kind: "paragraph", text: say("alert.intro", { address, title: name }) },
      {
        kind: "facts",
        facts: [
          { label: say("fact.address"), value: address },
          { label: say("fact.breach"), value: title(breach) },
          ...dates(breach),
          ...(breach.pwnCount > 0
            ? [{ label: say("fact.accounts"), value: say("number", { number: breach.pwnCount }) }]
            : []),
        ],
      },
      { kind: "tags", label: say("fact.categories"), tags: categories(breach) },
      ...flagNotes(breach),
      ...late,
      { kind: "steps", label: say("steps"), steps: adviceFor([breach]).map((step) => say(`step.${step}`)) },
      { kind: "button", label: say("alert.button"), url: `${publicUrl}/${language}/alerts?alert=${alertId}` },
      { kind: "paragraph", text: say("alert.unknown_service") },
    ],
    footer: [say("footer.why", { address, product: PRODUCT })],
    links: [{ label: say("footer.stop"), url: stopUrl }],
    attribution: attribution(),
  };
}
