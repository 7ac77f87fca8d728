import { toUnicode } from "punycode.js";
import { normalised } from "./unicode.ts";

/** The letters of Latin alphabets in use, without those that pass for another letter, such as "ı" and "ŀ". */
const LATIN = /^[a-z\dß-öø-İĲ-ķĹ-ľŁ-ňŊ-žșțơưạ-ỹ-]+$/u;
/** Recommended scripts (UAX 31, table 5). */
const OTHER_SCRIPTS = [
  /^[\p{scx=Arab}\d-]+$/u,
  /^[\p{scx=Armn}\d-]+$/u,
  /^[\p{scx=Beng}\d-]+$/u,
  /^[\p{scx=Cyrl}\d-]+$/u,
  /^[\p{scx=Deva}\d-]+$/u,
  /^[\p{scx=Ethi}\d-]+$/u,
  /^[\p{scx=Geor}\d-]+$/u,
  /^[\p{scx=Grek}\d-]+$/u,
  /^[\p{scx=Gujr}\d-]+$/u,
  /^[\p{scx=Guru}\d-]+$/u,
  /^[\p{scx=Hebr}\d-]+$/u,
  /^[\p{scx=Khmr}\d-]+$/u,
  /^[\p{scx=Knda}\d-]+$/u,
  /^[\p{scx=Laoo}\d-]+$/u,
  /^[\p{scx=Mlym}\d-]+$/u,
  /^[\p{scx=Mymr}\d-]+$/u,
  /^[\p{scx=Orya}\d-]+$/u,
  /^[\p{scx=Sinh}\d-]+$/u,
  /^[\p{scx=Taml}\d-]+$/u,
  /^[\p{scx=Telu}\d-]+$/u,
  /^[\p{scx=Thaa}\d-]+$/u,
  /^[\p{scx=Thai}\d-]+$/u,
  /^[\p{scx=Tibt}\d-]+$/u,
];
/** Scripts that are written together, also with Latin letters (UTS 39, "highly restrictive"): Japanese, Chinese, Korean. */
const EAST_ASIAN = [
  /^[a-z\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\d-]+$/u,
  /^[a-z\p{scx=Hani}\p{scx=Bopo}\d-]+$/u,
  /^[a-z\p{scx=Hani}\p{scx=Hang}\d-]+$/u,
];
/** Letters that look like Latin ones; a word of nothing else passes for a Latin word (after Chromium's "IDN in Chromium"). */
const LOOKS_LATIN = /^[аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡαικνρυωηοτագզէլհյոսւօ\d-]+$/u;

const ADDRESS = /^([^@\s/]+@)([^@\s/]+)$/;

/**
 * An email address as people read it: the domain in its own script, or in its ASCII form where a reader could take it for
 * another domain. Any other text is returned unchanged. Never compare or store the result.
 */
export function shownAddress(text: string): string {
  const [, mailbox = "", domain = ""] = ADDRESS.exec(text) ?? [];
  return domain === "" ? text : mailbox + shownDomain(domain);
}

/** The same for a domain alone. */
export function shownDomain(domain: string): string {
  return domain.includes("xn--") ? domain.split(".").map(shownLabel).join(".") : domain;
}

/** Whether `search`, in lower case, is a part of the address as it is stored or as it is shown. */
export function containsText(address: string, search: string): boolean {
  return address.includes(search) || shownAddress(address).includes(normalised(search, "NFC"));
}

function shownLabel(label: string): string {
  if (!label.startsWith("xn--")) return label;
  try {
    const shown = toUnicode(label);
    const isReadable = [LATIN, ...OTHER_SCRIPTS, ...EAST_ASIAN].some((script) => script.test(shown));
    return isReadable && !LOOKS_LATIN.test(shown) && asciiOf(shown) === label ? shown : label;
  } catch {
    return label;
  }
}

/** What the platform's IDNA makes of it: a label that maps to another one is not shown. */
function asciiOf(label: string): string {
  return new URL(`http://${label}.example`).hostname.replace(/\.example$/, "");
}
