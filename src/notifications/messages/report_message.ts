import type { AlertFacts, BreachFacts } from "../../shared/breach.ts";
import { PRODUCT } from "../../shared/product.ts";
import { rankOf, severityOf } from "../../shared/severity.ts";
import { foundUnderFacts } from "./alias_words.ts";
import { breachItem, breachWords, type WordOptions } from "./breach_words.ts";
import type { Block, Content } from "./content.ts";

/** By descending current severity, then by date, newest first. */
export function ranked(breaches: BreachFacts[], now: Date): BreachFacts[] {
  const weight = (breach: BreachFacts) => rankOf(severityOf(breach, now).level);
  return breaches.toSorted(
    (one, other) => weight(other) - weight(one) || (other.breachDate ?? "").localeCompare(one.breachDate ?? ""),
  );
}

/** The result of an address's first check in one message, even if nothing was found. */
export function reportContent(address: string, alerts: AlertFacts[], options: WordOptions): Content {
  const { language, publicUrl, stopUrl } = options;
  const { say, attribution } = breachWords(options);
  const breaches = alerts.flatMap(({ breach }) => breach ?? []);
  const count = alerts.length;
  const outcome = count === 0 ? "clean" : "found";
  const params = { address, count, product: PRODUCT };
  const nothingShared = count > 0 && breaches.length === 0;

  const clean: Block[] = [
    { kind: "paragraph", text: say("report.clean.limits") },
    { kind: "button", label: say("report.clean.button"), url: `${publicUrl}/${language}/dashboard` },
  ];
  return {
    language,
    subject: say(`report.${outcome}.subject`, params),
    preview: say(nothingShared ? "alert.hidden.preview" : `report.${outcome}.preview`, params),
    heading: say(`report.${outcome}.heading`, params),
    blocks: [
      { kind: "paragraph", text: say(`report.${outcome}.intro`, params) },
      { kind: "paragraph", text: say(`report.${outcome}.next`, params) },
      ...(count === 0 ? clean : found(alerts, options)),
    ],
    footer: [say("footer.why", params)],
    links: [{ label: say("footer.stop"), url: stopUrl }],
    ...attribution(alerts),
  };
}

/** The disclosed breaches by name, and the number of the others. */
function found(alerts: AlertFacts[], options: WordOptions): Block[] {
  const breaches = alerts.flatMap(({ breach }) => breach ?? []);
  const hidden = alerts.length - breaches.length;
  const aliasesOf = new Map(alerts.map((alert) => [alert.breach, foundUnderFacts(alert, options)]));
  const { say } = breachWords(options);
  const url = `${options.publicUrl}/${options.language}/alerts`;
  const button: Block = { kind: "button", label: say("report.found.button"), url };
  if (breaches.length === 0) return [{ kind: "paragraph", text: say("alert.hidden.ask") }, button];
  const rest: Block[] =
    hidden === 0 ? [] : [{ kind: "paragraph", text: say("report.found.hidden", { count: hidden }) }];
  return [
    ...rest,
    { kind: "steps", label: say("steps"), steps: breachWords(options).advice(breaches) },
    button,
    {
      kind: "breaches",
      label: say("report.found.list"),
      breaches: ranked(breaches, options.now).map((breach) => breachItem(breach, options, aliasesOf.get(breach))),
    },
  ];
}
