import { type BreachFacts, type BreachFlag, dataClassKey } from "../shared/breach.ts";
import type { Language } from "../shared/language.ts";
import { HIBP_URL } from "../shared/product.ts";
import type { Block, Content } from "./content.ts";
import { plainText } from "./message.ts";
import type { TextParams, Translate } from "./ports.ts";

const LICENCE_URL = "https://creativecommons.org/licenses/by/4.0/";

/** What the words of a message about breaches are made with. `stopUrl` leads to the page that ends these messages. */
export type WordOptions = { translate: Translate; language: Language; publicUrl: string; stopUrl: string };

export function breachWords({ translate, language }: Pick<WordOptions, "translate" | "language">) {
  const say = (key: string, params: TextParams = {}) => translate(language, `mail.${key}`, params);
  const day = (iso: string) => say("date", { date: new Date(iso) });

  return {
    say,

    /** Every category in the reader's language; one that is new to us as the source writes it. */
    categories({ dataClasses }: BreachFacts): string[] {
      return dataClasses.map((label) => {
        const key = `data_classes.${dataClassKey(label)}`;
        return translate.has(language, key) ? translate(language, key) : plainText(label);
      });
    },

    title: ({ title, domain }: BreachFacts) => {
      const name = plainText(title);
      const site = plainText(domain);
      return site === "" || name.toLowerCase() === site.toLowerCase() ? name : `${name} (${site})`;
    },

    dates: ({ breachDate, addedDate }: BreachFacts) => [
      { label: say("fact.happened"), value: day(breachDate) },
      { label: say("fact.known"), value: day(addedDate) },
    ],

    advice: (step: string) => translate(language, `advice.${step}`),

    badge: (flag: BreachFlag) => translate(language, `flags.${flag}_label`),

    flagNotes: ({ flags }: BreachFacts): Block[] =>
      flags.map((flag) => ({
        kind: "note",
        label: translate(language, `flags.${flag}_label`),
        text: translate(language, `flags.${flag}`),
      })),

    attribution: (): NonNullable<Content["attribution"]> => ({
      text: say("footer.attribution"),
      links: [
        { label: "haveibeenpwned.com", url: HIBP_URL },
        { label: "CC BY 4.0", url: LICENCE_URL },
      ],
    }),
  };
}
