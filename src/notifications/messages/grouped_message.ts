import type { AlertFacts } from "../../shared/breach.ts";
import { PRODUCT } from "../../shared/product.ts";
import { rankOf, severityOf } from "../../shared/severity.ts";
import { shownAddress } from "../../shared/shown_address.ts";
import { foundUnderFacts } from "./alias_words.ts";
import { breachItem, breachWords, type WordOptions } from "./breach_words.ts";
import type { Block, BreachItem, Content } from "./content.ts";

/** Several alerts in one message, by descending severity; of those without details only the address. */
export function severalContent(kind: "alerts" | "digest", alerts: AlertFacts[], options: WordOptions): Content {
  const { language, publicUrl, stopUrl, now } = options;
  const { say, advice, attribution } = breachWords(options);
  const breaches = alerts.flatMap(({ breach }) => breach ?? []);
  const weight = ({ breach }: AlertFacts) => (breach ? rankOf(severityOf(breach, now).level) : 0);
  const params = { count: alerts.length, product: PRODUCT };
  const list: Block = {
    kind: "breaches",
    label: say("digest.list"),
    breaches: alerts.toSorted((one, other) => weight(other) - weight(one)).map((facts) => itemOf(facts, options)),
  };
  const known: Block[] = [
    { kind: "paragraph", text: say(`${kind}.intro`, params) },
    { kind: "steps", label: say("steps"), steps: advice(breaches) },
  ];
  const hidden: Block[] = [
    { kind: "paragraph", text: say(`${kind}.preview`) },
    { kind: "paragraph", text: say("alert.hidden.ask") },
  ];
  return {
    language,
    subject: say(`${kind}.subject`, params),
    preview: say(`${kind}.preview`),
    heading: say("digest.heading", params),
    blocks: [
      // What to do comes before a list that may be long. Where a channel has no room, `shortened()` keeps the list.
      ...(breaches.length > 0 ? known : hidden),
      { kind: "button", label: say("digest.button"), url: `${publicUrl}/${language}/alerts` },
      list,
    ],
    footer: [say(`${kind}.why`, params)],
    links: [{ label: say("footer.stop"), url: stopUrl }],
    ...attribution(alerts),
  };
}

function itemOf(alert: AlertFacts, options: WordOptions): BreachItem {
  const { address, breach, raisedAt } = alert;
  const { say } = breachWords(options);
  const place = { label: say("fact.address"), value: shownAddress(address), identifies: true } as const;
  if (breach) return breachItem(breach, options, [place, ...foundUnderFacts(alert, options)]);
  return { title: say("digest.hidden", { at: new Date(raisedAt) }), badges: [], facts: [place] };
}
