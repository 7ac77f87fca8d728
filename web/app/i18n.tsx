import { TYPE } from "@formatjs/icu-messageformat-parser";
import { type ReactNode, useCallback } from "react";
import { FormattedMessage, type IntlConfig, useIntl } from "react-intl";
import { type Language, negotiateLanguage } from "../../src/shared/language.ts";
import { shownAddress } from "../../src/shared/shown_address.ts";
import type { FailureCode } from "../api/api.ts";
import type { ErrorTextId, TextId } from "./text_id.ts";

/** Topics whose keys already say which screen they belong to, so they get no prefix. */
const SCREENS = [
  "entrance",
  "registration",
  "ui",
  "profile",
  "tracking",
  "consent",
  "monitoring",
  "figures",
  "alerts",
  "contacts",
  "drill",
  "billing",
  "service_status",
  "incidents",
  "api_tokens",
  "developers",
  "support",
  "staff",
  "acceptance",
  "letters",
  "domains",
  "aliases",
] as const;
export type Topic =
  | (typeof SCREENS)[number]
  | "errors"
  | "sources"
  | "data_classes"
  | "data_groups"
  | "seriousness"
  | "handling"
  | "flags"
  | "advice"
  | "together"
  | "terms"
  | "privacy";
type Catalogue = NonNullable<IntlConfig["messages"]>;

const files = import.meta.glob<Catalogue>(
  "../../locales/*/{ui,profile,tracking,consent,monitoring,figures,alerts,contacts,drill,billing,service_status,incidents,api_tokens,developers,support,staff,errors,sources,data_classes,data_groups,seriousness,handling,flags,advice,together,terms,privacy,acceptance,letters,domains,aliases}.json",
  { import: "default" },
);
/** The texts of the login, and those of the registration: parts of these files that are loaded first (`parsed_messages.ts`). */
const entrances = import.meta.glob<Catalogue>("../../locales/*/{ui,errors}.json", {
  query: "?entrance",
  import: "default",
});
const registrations = import.meta.glob<Catalogue>("../../locales/*/{ui,errors}.json", {
  query: "?registration",
  import: "default",
});
const PARTS: Partial<Record<Topic, typeof entrances>> = { entrance: entrances, registration: registrations };
/** The texts of the invitation mail, for its preview in any language. */
const invitations = import.meta.glob<Catalogue>("../../locales/*/mail.json", {
  query: "?invitation",
  import: "default",
});
/** The texts of letters to companies, in any language. */
const letterFiles = import.meta.glob<Catalogue>("../../locales/*/letter.json", { import: "default" });
const catalogues = new Map<Language, Catalogue>();
const loaded = new Map<string, Promise<void>>();

// Topics share one namespace: keys of topics other than screens are prefixed with their topic.
function withTopic(topic: Topic, texts: Catalogue): Catalogue {
  const prefix = SCREENS.some((screen) => screen === topic) ? "" : `${topic}:`;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [prefix + key, parts(text)])) as Catalogue;
}

/** The build keeps a message without placeholders as a plain string (`parsed_messages.ts`). */
function parts(text: Catalogue[string]) {
  return typeof text === "string" ? [{ type: TYPE.literal, value: text }] : text;
}

async function loadTopic(language: Language, topic: Topic): Promise<void> {
  const part = PARTS[topic];
  if (part === undefined) return add(language, topic, files);
  await Promise.all([add(language, "ui", part), add(language, "errors", part)]);
}

async function add(language: Language, topic: Topic, from: typeof files): Promise<void> {
  const texts = await from[`../../locales/${language}/${topic}.json`]?.();
  if (texts === undefined) throw new Error(`Cannot load the texts "${topic}" in "${language}"`);
  catalogues.set(language, { ...catalogues.get(language), ...withTopic(topic, texts) } as Catalogue);
}

/** Loads the texts of these topics. Each file is fetched once; a failed fetch can be repeated. */
export async function loadTexts(language: Language, topics: readonly Topic[]): Promise<void> {
  await Promise.all(
    topics.map((topic) => {
      const key = `${language}/${topic}`;
      const pending = loaded.get(key) ?? loadTopic(language, topic);
      loaded.set(key, pending);
      return pending.catch((error: unknown) => {
        loaded.delete(key);
        throw error;
      });
    }),
  );
}

/** The invitation mail's texts in the recipient's language. */
export async function invitationTexts(language: Language): Promise<Catalogue> {
  return withTopic("ui", (await invitations[`../../locales/${language}/mail.json`]?.()) ?? {});
}

/** The texts of a letter in its own language. */
export async function letterTexts(language: Language): Promise<Catalogue> {
  return withTopic("ui", (await letterFiles[`../../locales/${language}/letter.json`]?.()) ?? {});
}

/** The texts loaded so far in a language, for the provider. */
export function textsOf(language: Language): Catalogue {
  return catalogues.get(language) ?? {};
}

type Values = Record<string, string | number | Date>;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

function readableValue(value: string): string {
  const shown = shownAddress(value);
  // Bidi isolation, so that the value does not reorder the sentence around it.
  return RIGHT_TO_LEFT.test(shown) ? `\u2068${shown}\u2069` : shown;
}

/** Values as people read them: addresses in their readable form, right-to-left text isolated. */
export function readableValues<Value>(values: Record<string, Value> | undefined) {
  const entries = Object.entries(values ?? {});
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? readableValue(value) : value]),
  );
}

/** The language of the page. */
export function useLanguage(): Language {
  const { locale } = useIntl();
  return negotiateLanguage([locale]);
}

/** Translates a key of `ui.json`, or of another screen topic that the page has loaded. */
export function useText() {
  const { formatMessage } = useIntl();
  return useCallback((id: TextId, values?: Values) => formatMessage({ id }, readableValues(values)), [formatMessage]);
}

/** Translates an error code. */
export function useErrorText() {
  const { formatMessage } = useIntl();
  return useCallback(
    (code: FailureCode) =>
      formatMessage({ id: code === "UNREACHABLE" ? ("error.unreachable" satisfies TextId) : errorKey(code) }),
    [formatMessage],
  );
}

function errorKey(code: ErrorTextId): string {
  return `errors:${code}`;
}

/** Translates a key of another topic; returns `fallback` when the topic does not have it. */
export function useTopic(topic: Exclude<Topic, (typeof SCREENS)[number] | "errors">) {
  const { formatMessage, messages } = useIntl();
  return (key: string, fallback: string, values?: Values) => {
    const id = `${topic}:${key}`;
    return id in messages ? formatMessage({ id }, values) : fallback;
  };
}

type RichValues = Record<string, ReactNode | ((parts: ReactNode[]) => ReactNode)>;

type TopicTextProps = { topic: "sources"; id: string; values?: RichValues };

/** A text of a topic that every page has loaded, with elements as values. */
export function TopicText({ topic, id, values }: TopicTextProps) {
  return <FormattedMessage id={`${topic}:${id}`} {...(values && { values })} />;
}

/** A text with markup: `<link>…</link>` in the catalogue calls `values.link`. */
export function Text({ id, values }: { id: TextId; values?: RichValues }) {
  return <FormattedMessage id={id} values={readableValues(values)} />;
}
