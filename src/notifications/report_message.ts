import { adviceFor, isGrave } from "../shared/advice.ts";
import type { AlertFacts } from "../shared/breach.ts";
import { PRODUCT } from "../shared/product.ts";
import { breachWords, type WordOptions } from "./breach_words.ts";
import type { Block, Content } from "./content.ts";

/** Passwords, money and identity papers first, then the newest. */
export function ranked(alerts: AlertFacts[]): AlertFacts[] {
  const weight = ({ breach }: AlertFacts) => (isGrave(breach) ? 1 : 0);
  return alerts.toSorted(
    (one, other) => weight(other) - weight(one) || other.breach.breachDate.localeCompare(one.breach.breachDate),
  );
}

/** What the first check of an address found, in one message; good news too is told. */
export function reportContent(address: string, alerts: AlertFacts[], options: WordOptions): Content {
  const { language, publicUrl, stopUrl } = options;
  const { say, categories, title, dates, badge, advice, attribution } = breachWords(options);
  const count = alerts.length;
  const outcome = count === 0 ? "clean" : "found";
  const params = { address, count, product: PRODUCT };

  const found: Block[] = [
    {
      kind: "steps",
      label: say("steps"),
      steps: adviceFor(alerts.map(({ breach }) => breach)).map(advice),
    },
    { kind: "button", label: say("report.found.button"), url: `${publicUrl}/${language}/alerts` },
    {
      kind: "breaches",
      label: say("report.found.list"),
      breaches: ranked(alerts).map(({ breach }) => ({
        title: title(breach),
        badges: breach.flags.map(badge),
        facts: [...dates(breach), { label: say("fact.categories"), value: categories(breach).join(", ") }],
      })),
    },
  ];
  const clean: Block[] = [
    { kind: "paragraph", text: say("report.clean.limits") },
    { kind: "button", label: say("report.clean.button"), url: `${publicUrl}/${language}/dashboard` },
  ];
  return {
    language,
    subject: say(`report.${outcome}.subject`, params),
    preview: say(`report.${outcome}.preview`, params),
    heading: say(`report.${outcome}.heading`, params),
    blocks: [
      { kind: "paragraph", text: say(`report.${outcome}.intro`, params) },
      { kind: "paragraph", text: say(`report.${outcome}.next`, params) },
      ...(count === 0 ? clean : found),
    ],
    footer: [say("footer.why", params)],
    links: [{ label: say("footer.stop"), url: stopUrl }],
    attribution: attribution(),
  };
}
