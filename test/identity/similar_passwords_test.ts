import { describe, expect, test } from "bun:test";
import { dictionary } from "@zxcvbn-ts/language-common";
import { weaknessOf } from "../../src/identity/account/password.ts";

const commonPasswords = { has: () => false };
type Person = { firstName: string; lastName: string; email: string };
const weakness = (person: Person, password: string) =>
  weaknessOf({ ...person, password }, { commonPasswords, hostName: "breachbell.example" });

const person = (firstName: string, lastName: string, email: string): Person => ({ firstName, lastName, email });
const PEOPLE = [
  person("Alexander", "Constantinescu", "alexander.constantinescu@example-university.org"),
  person("Alice", "Meyer", "alice.meyer@example.com"),
  person("François", "Lefèvre", "f.lefevre@exemple-conseil.fr"),
  person("Giulia", "Ferrari", "giulia_ferrari81@esempio.it"),
  person("María José", "Hernández", "mjhernandez@ejemplo.es"),
  person("João", "Guimarães", "joao.guimaraes@exemplo.pt"),
  person("Wilhelmina", "Vanderbilt", "wvanderbilt@vanderbilt.example"),
  person("Søren", "Kierkegaard", "soren@kierkegaard.example"),
  person("Ángel", "Ibáñez", "angel.ibanez@correo.example"),
  person("Sinéad", "O'Connor", "sinead-oconnor@music.example"),
  person("Jürgen", "Großmann", "juergen.grossmann@beispiel.de"),
  person("Anastasia", "Papadopoulos", "a.papadopoulos@paradigm.example"),
  person("Mohammed", "Al-Rashid", "mohammed.alrashid@example.net"),
  person("Priya", "Venkataraman", "priya.venkat@consulting.example"),
  person("Tomasz", "Wiśniewski", "tomasz.wisniewski@przyklad.pl"),
  person("Elizabeth", "Montgomery", "lizzy.montgomery@school.example"),
  person("Hiroshi", "Yamamoto", "hiroshi.yamamoto@tokyo.example"),
  person("Charlotte", "Bonaparte", "charlotte.bonaparte@empire.example"),
  person("Nikolai", "Rimsky", "nikolai.rimsky@concert.example"),
  person("Guinevere", "Pendragon", "guinevere@camelot.example"),
];
const [LOCAL, LABEL] = [
  (email: string) => email.split("@")[0] ?? "",
  (email: string) => email.split(/[@.]/).at(-2) ?? "",
];
/** What people make of their own names and addresses. */
const PATTERNS: [name: string, of: (person: Person) => string][] = [
  ["the first name and a year", ({ firstName }) => `${firstName}1984`],
  ["the last name and a sign", ({ lastName }) => `${lastName}77!`],
  ["both names", ({ firstName, lastName }) => `${firstName}.${lastName}1`],
  ["the last name first", ({ firstName, lastName }) => `${lastName}-${firstName}9`],
  ["capitals", ({ lastName }) => `${lastName.toUpperCase()}2x`],
  ["the last name backwards", ({ lastName }) => `${[...lastName].toReversed().join("")}8A`],
  ["the last name without its last letter", ({ lastName }) => `${lastName.slice(0, -1)}1`],
  ["the local part of the address", ({ email }) => `${LOCAL(email)}5X`],
  ["the whole address", ({ email }) => email],
  ["the domain", ({ email }) => `${LABEL(email)}#2026Q`],
];

describe("A password that is built from a person's name or address", () => {
  test.each(PATTERNS)("is refused: %s", (_, of) => {
    const passed = PEOPLE.map((person) => [of(person), weakness(person, of(person))]).filter(([, found]) => !found);
    expect(passed).toEqual([]);
  });
});

/** Pseudo-random numbers, the same each time (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

test("of random passphrases, at most one in a thousand is refused", () => {
  const words = (dictionary["passwords-common"] ?? []).map(String).filter((word) => /^[a-z]{4,9}$/.test(word));
  const below = numbers(20261126);
  // A hundred thousand take five seconds, and as few were refused.
  const count = process.env.TEST_TIER === "nightly" ? 100_000 : 10_000;
  const passphrase = () => Array.from({ length: 4 + below(3) }, () => words[below(words.length)]).join("-");
  const refused = Array.from({ length: count }, (_, index) => {
    const typed = `${passphrase()}${below(10)}A`;
    const person = PEOPLE[index % PEOPLE.length];
    return person && weakness(person, typed) ? [typed] : [];
  }).flat();
  expect(refused.length).toBeLessThanOrEqual(count / 1000);
});
