import { isLanguage, type Language, localeOf } from "../shared/language.ts";
import { inLanguage, type Localized } from "../shared/localized.ts";
import { PRODUCT } from "../shared/product.ts";

type Incident = {
  id: string;
  title: Localized;
  startsAt: string;
  updates: { at: string; text: Localized }[];
};
type Options = { publicUrl: string; updatedAt: string; asked: string | undefined };

/** What XML 1.0 cannot say at all is left out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these
const UNSAYABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escaped(text: string): string {
  return Bun.escapeHTML(text.replaceAll(UNSAYABLE, ""));
}

function entryOf({ id, title, startsAt, updates }: Incident, language: Language, page: string): string {
  const head = inLanguage(title, language);
  const [latest] = updates;
  const said = updates.map(({ at, text }) => `${at}\n${inLanguage(text, language).text}`).join("\n\n");
  return [
    "  <entry>",
    `    <id>urn:uuid:${escaped(id)}</id>`,
    `    <title xml:lang="${localeOf(head.language)}">${escaped(head.text)}</title>`,
    `    <published>${startsAt}</published>`,
    `    <updated>${latest?.at ?? startsAt}</updated>`,
    `    <link rel="alternate" type="text/html" href="${escaped(page)}#incident-${escaped(id)}"/>`,
    `    <content type="text">${escaped(said)}</content>`,
    "  </entry>",
  ].join("\n");
}

/** The incidents as an Atom feed (RFC 4287), in the requested language where the texts have been translated. */
export function incidentFeed(incidents: Incident[], { publicUrl, updatedAt, asked }: Options): string {
  const language = isLanguage(asked) ? asked : "en";
  const page = `${publicUrl}/${language}/service-status`;
  const self = `${publicUrl}/service-status.atom?language=${language}`;
  const news = incidents.flatMap(({ updates }) => updates.map(({ at }) => at)).toSorted();
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${localeOf(language)}">`,
    `  <id>${escaped(publicUrl)}/service-status.atom</id>`,
    `  <title>${PRODUCT}</title>`,
    `  <author><name>${PRODUCT}</name></author>`,
    `  <updated>${news.at(-1) ?? updatedAt}</updated>`,
    `  <link rel="self" type="application/atom+xml" href="${escaped(self)}"/>`,
    `  <link rel="alternate" type="text/html" href="${escaped(page)}"/>`,
    ...incidents.map((incident) => entryOf(incident, language, page)),
    "</feed>",
    "",
  ].join("\n");
}
