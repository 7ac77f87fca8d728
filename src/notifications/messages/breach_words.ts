import { adviceFor, stepWords } from "../../shared/advice.ts";
import { type BreachFacts, type BreachFlag, dataClassKey, isDrill } from "../../shared/breach.ts";
import type { Language } from "../../shared/language.ts";
import { byGravity, severityOf } from "../../shared/severity.ts";
import { creditsOf, type Found } from "../../shared/sources.ts";
import type { TextParams, Translate } from "../ports.ts";
import type { Block, BreachItem, Content } from "./content.ts";
import { plainText } from "./message.ts";

/** What the texts about breaches depend on. */
export type WordOptions = {
  translate: Translate;
  language: Language;
  publicUrl: string;
  /** The page to unsubscribe on. */
  stopUrl: string;
  /** The configured breach sources. */
  sources: string[];
  now: Date;
};

export function breachWords({ translate, language, sources, now }: Omit<WordOptions, "publicUrl" | "stopUrl">) {
  const say = (key: string, params: TextParams = {}) => translate(language, `mail.${key}`, params);
  const day = (iso: string) => say("date", { date: new Date(iso) });
  /** Drills have a translated name. */
  const nameOf = (breach: BreachFacts) =>
    isDrill(breach) ? translate(language, "flags.drill_label") : plainText(breach.title);

  return {
    say,

    /** Every category in the reader's language, by descending severity; unknown ones as the source writes them. */
    categories({ dataClasses }: BreachFacts): string[] {
      const ranked = dataClasses.toSorted((one, other) => byGravity(dataClassKey(one), dataClassKey(other)));
      return ranked.map((label) => {
        const key = `data_classes.${dataClassKey(label)}`;
        return translate.has(language, key) ? translate(language, key) : plainText(label);
      });
    },

    name: nameOf,

    title: (breach: BreachFacts) => {
      const { domain } = breach;
      const name = nameOf(breach);
      const site = plainText(domain);
      return site === "" || name.toLowerCase() === site.toLowerCase() ? name : `${name} (${site})`;
    },

    dates: ({ breachDate, addedDate }: BreachFacts) => [
      {
        label: say("fact.happened"),
        value: breachDate === null ? say("fact.unknown_date") : day(breachDate),
      },
      { label: say("fact.known"), value: day(addedDate) },
    ],

    /** Advice for all of these breaches. */
    advice: (breaches: BreachFacts[]) =>
      adviceFor(breaches).map((step) => {
        const { key, params } = stepWords(step, breaches);
        const { service } = params;
        return translate(language, `advice.${key}`, service === undefined ? {} : { service: plainText(service) });
      }),

    badge: (flag: BreachFlag) => translate(language, `flags.${flag}_label`),

    flagNotes: ({ flags }: BreachFacts): Block[] =>
      flags.map((flag) => ({
        kind: "note",
        label: translate(language, `flags.${flag}_label`),
        text: translate(language, `flags.${flag}`),
      })),

    /** The severity of a breach, and the rules behind it. */
    seriousness(breach: BreachFacts) {
      const { level, rules } = severityOf(breach, now);
      const name = translate(language, `seriousness.level_${level}`);
      return {
        level,
        label: translate(language, "seriousness.label"),
        name,
        line: translate(language, "seriousness.line", { level: name }),
        why: rules.map((rule) => translate(language, `seriousness.${rule}`)).join(" "),
      };
    },

    /** The attribution of all sources in a message, or of the configured sources if it names no breach; none for drills. */
    attribution(told: Found[]): Pick<Content, "attribution"> {
      const credits = creditsOf(told, sources);
      if (credits.length === 0) return {};
      const names = credits.map(({ name, licence }) => {
        const shown = name ?? translate(language, "sources.own_list");
        return licence ? `${shown} (${licence.name})` : shown;
      });
      const links = credits.flatMap(({ url, licence }) => [
        ...(url ? [{ label: new URL(url).hostname, url }] : []),
        ...(licence ? [{ label: licence.name, url: licence.url }] : []),
      ]);
      const text = translate(language, "sources.credit", { sources: names.join(", ") });
      return { attribution: { text, links } };
    },
  };
}

/** A breach in a list; `first` precedes the other facts. */
export function breachItem(breach: BreachFacts, options: WordOptions, first: BreachItem["facts"] = []): BreachItem {
  const { say, categories, title, dates, badge, seriousness } = breachWords(options);
  const { level, label, name, why } = seriousness(breach);
  return {
    title: title(breach),
    level,
    badges: breach.flags.map(badge),
    facts: [
      ...first,
      { label, value: `${name}. ${why}` },
      ...dates(breach),
      { label: say("fact.categories"), value: categories(breach).join(", ") },
    ],
  };
}
