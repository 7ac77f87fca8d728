import { adviceFor } from "../shared/advice.ts";
import { type AlertFacts, becameKnownLate } from "../shared/breach.ts";
import { PRODUCT } from "../shared/product.ts";
import { breachWords, type WordOptions } from "./breach_words.ts";
import type { Block, Content } from "./content.ts";
import { plainText } from "./message.ts";

/** One new breach of one address. */
export function alertContent({ alertId, address, breach }: AlertFacts, options: WordOptions): Content {
  const { language, publicUrl, stopUrl } = options;
  const { say, categories, title, dates, flagNotes, advice, attribution } = breachWords(options);
  const name = plainText(breach.title);
  const late: Block[] = becameKnownLate(breach)
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
      { kind: "steps", label: say("steps"), steps: adviceFor([breach]).map(advice) },
      { kind: "button", label: say("alert.button"), url: `${publicUrl}/${language}/alerts?alert=${alertId}` },
      { kind: "paragraph", text: say("alert.unknown_service") },
    ],
    footer: [say("footer.why", { address, product: PRODUCT })],
    links: [{ label: say("footer.stop"), url: stopUrl }],
    attribution: attribution(),
  };
}
