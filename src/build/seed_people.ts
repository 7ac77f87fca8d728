import { LANGUAGES, type Language } from "../shared/language.ts";

/** Someone invented, at a domain that is reserved for examples. */
export type Person = { firstName: string; lastName: string; email: string; language: Language };

const FIRST_NAMES: Record<Language, string[]> = {
  en: ["Alice", "Oliver", "Emma", "George", "Sophie", "Harry"],
  fr: ["Camille", "Louis", "Jeanne", "Hugo", "Manon", "Jules"],
  de: ["Anna", "Felix", "Lena", "Jonas", "Mia", "Paul"],
  it: ["Giulia", "Marco", "Sofia", "Luca", "Chiara", "Matteo"],
  es: ["Elena", "Javier", "Carmen", "Diego", "Paula", "Pablo"],
  pt: ["Marta", "Tiago", "Beatriz", "Rui", "Leonor", "Miguel"],
};
const LAST_NAMES: Record<Language, string[]> = {
  en: ["Archer", "Bennett", "Carter", "Dawson"],
  fr: ["Moreau", "Lambert", "Garnier", "Roux"],
  de: ["Keller", "Vogt", "Brandt", "Hofer"],
  it: ["Conti", "Rinaldi", "Ferri", "Greco"],
  es: ["Ortega", "Navarro", "Vidal", "Prieto"],
  pt: ["Almeida", "Duarte", "Pinto", "Ramos"],
};
const DOMAINS = ["example.com", "example.org", "example.net"];

const at = <Item>(list: readonly Item[], index: number) => list[index % list.length] as Item;

/** How many members a family has; they have the same last name, and follow each other. */
export const FAMILY = 4;

/** The same person each time. */
export function personOf(index: number): Person {
  const family = Math.floor(index / FAMILY);
  const language = at(LANGUAGES, family);
  const firstName = at(FIRST_NAMES[language], index);
  const lastName = at(LAST_NAMES[language], Math.floor(family / LANGUAGES.length));
  const email = `${firstName}.${lastName}.${index + 1}@${at(DOMAINS, index)}`.toLowerCase();
  return { firstName, lastName, email, language };
}

/** A number in [0, 1) that depends on the words alone. */
export function chanceOf(...words: (string | number)[]): number {
  return Number(Bun.hash(words.join("\n")) % 100_000n) / 100_000;
}
