import { type AlertFacts, type BreachFacts, becameKnownLate, isDrill } from "../../shared/breach.ts";
import { PRODUCT } from "../../shared/product.ts";
import { shownAddress } from "../../shared/shown_address.ts";
import { addressFound, foundUnderFacts, namedServiceNote } from "./alias_words.ts";
import { breachWords, type WordOptions } from "./breach_words.ts";
import type { Block, Content } from "./content.ts";

/** A new breach of one address, as far as the owner of the address shares it. */
export function alertContent(facts: AlertFacts, options: WordOptions): Content {
  const { language, publicUrl, stopUrl } = options;
  const { say, attribution } = breachWords(options);
  const { alertId, address, breach, state, version } = facts;
  const url = `${publicUrl}/${language}/alerts?alert=${alertId}`;
  const button: Block = { kind: "button", label: say("alert.button"), url };
  return {
    language,
    heading: say("alert.heading"),
    ...(breach ? openWords({ ...facts, breach, button }, options) : hiddenWords(facts, button, options)),
    ...(state === "pending" && {
      handle: { alertId, version, label: options.translate(language, "telegram.button.handle") },
    }),
    footer: [say("footer.why", { address, product: PRODUCT })],
    links: [{ label: say("footer.stop"), url: stopUrl }],
    ...attribution([facts]),
  };
}

type Words = Pick<Content, "subject" | "preview" | "blocks">;

/** Says that there is an alert, without any details. */
function hiddenWords({ address, raisedAt }: AlertFacts, button: Block, options: WordOptions): Words {
  const { say } = breachWords(options);
  return {
    subject: say("alert.hidden.subject", { address }),
    preview: say("alert.hidden.preview"),
    blocks: [
      { kind: "paragraph", text: say("alert.hidden.intro", { address, at: new Date(raisedAt) }) },
      { kind: "paragraph", text: say("alert.hidden.ask") },
      button,
    ],
  };
}

type Open = Pick<AlertFacts, "address" | "foundUnder"> & { breach: BreachFacts; button: Block };

function openWords({ breach, button, ...found }: Open, options: WordOptions): Words {
  const address = addressFound(found);
  const { say, categories, name: nameOf, title, dates, flagNotes, seriousness, advice } = breachWords(options);
  const { level, line, why } = seriousness(breach);
  const name = nameOf(breach);
  const isMadeUp = isDrill(breach);
  const late: Block[] = becameKnownLate(breach)
    ? [{ kind: "note", label: say("alert.late_label"), text: say("alert.late") }]
    : [];
  return {
    subject: say("alert.subject", { title: name }),
    preview: isMadeUp ? options.translate(options.language, "flags.drill") : say("alert.preview", { address }),
    blocks: [
      ...(isMadeUp ? flagNotes(breach) : []),
      { kind: "paragraph", text: say("alert.intro", { address, title: name }) },
      { kind: "note", label: line, text: why, level },
      {
        kind: "facts",
        facts: [
          { label: say("fact.address"), value: shownAddress(found.address) },
          ...foundUnderFacts(found, options),
          { label: say("fact.breach"), value: title(breach) },
          ...dates(breach),
          ...(breach.pwnCount > 0
            ? [{ label: say("fact.accounts"), value: say("number", { number: breach.pwnCount }) }]
            : []),
        ],
      },
      { kind: "tags", label: say("fact.categories"), tags: categories(breach) },
      ...(isMadeUp ? [] : flagNotes(breach)),
      ...namedServiceNote(found, options),
      ...late,
      { kind: "steps", label: say("steps"), steps: advice([breach]) },
      button,
      { kind: "paragraph", text: say("alert.unknown_service") },
    ],
  };
}
