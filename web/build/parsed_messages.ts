import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";
import { LOGIN_ERRORS, REGISTRATION_ERRORS } from "../../src/shared/result.ts";

const PLAIN = "abcdefghijklmnopqrstuvwxyz";
const ACCENTED = "áƀçđéƒğĥíĵķłɱñóƥɋřšŧúṽŵẋýž";

function accent(letter: string): string {
  const small = letter.toLowerCase();
  const accented = ACCENTED[PLAIN.indexOf(small)] ?? letter;
  return letter === small ? accented : accented.toUpperCase();
}

/** The message in accented letters, as a pseudo-locale. */
function accented(parts: MessageFormatElement[]): MessageFormatElement[] {
  return parts.map((part) => {
    if (part.type === TYPE.literal)
      return {
        ...part,
        value: part.value.replaceAll(/[a-z]/gi, accent),
      };
    if (part.type === TYPE.tag) return { ...part, children: accented(part.children) };
    if (part.type !== TYPE.plural && part.type !== TYPE.select) return part;
    const options = Object.entries(part.options).map(([name, option]) => {
      return [name, { ...option, value: accented(option.value) }] as const;
    });
    return { ...part, options: Object.fromEntries(options) };
  });
}

/** Parts of the texts that are loaded before the others, by key or its first word: for the login with its frame, and the registration. */
const PARTS: Record<string, Record<string, readonly string[]>> = {
  entrance: {
    ui: [
      ...["login", "password", "field"],
      ...["frame", "promise", "privacy", "theme", "service_notice", "session", "draft", "error", "close"],
    ],
    errors: LOGIN_ERRORS,
  },
  registration: { ui: ["register"], errors: REGISTRATION_ERRORS },
};

/** The keys of the invitation mail that its preview shows. */
const INVITATION_KEYS = ["subject", "preview", "heading", "who"].map((part) => `invitation.${part}`);

/** The texts of a file in `locales/`, or of the part that its query names. */
function textsOf(code: string, id: string): [string, string][] {
  const texts = Object.entries(JSON.parse(code) as Record<string, string>);
  if (id.endsWith("?invitation")) return texts.filter(([key]) => INVITATION_KEYS.includes(key));
  const [, topic] = /\/(ui|errors)\.json/.exec(id) ?? [];
  if (topic === undefined) return texts;
  const partOf = (key: string) =>
    Object.keys(PARTS).find((part) => PARTS[part]?.[topic]?.includes(key.split(".")[0] ?? ""));
  const [, wanted] = id.split("?");
  return texts.filter(([key]) => partOf(key) === wanted);
}

/** A message without placeholders becomes a plain string; `i18n.tsx` expands it again. */
function compact(parts: MessageFormatElement[]): MessageFormatElement[] | string {
  const [first] = parts;
  return parts.length === 1 && first?.type === TYPE.literal ? first.value : parts;
}

// Parses messages at build time: the browser needs no parser, and an invalid message fails the build. With `vite --mode
// pseudo` all messages are accented, so that hard-coded text stands out.
export function parsedMessages(): Plugin {
  let isPseudo = false;
  const parsed = (text: string) => compact(isPseudo ? accented(parse(text)) : parse(text));
  return {
    name: "parsed-messages",
    enforce: "pre",
    configResolved({ mode }) {
      isPseudo = mode === "pseudo";
    },
    transform(code, id) {
      if (!/\/locales\/\w+\/\w+\.json(\?(entrance|registration|invitation))?$/.test(id)) return undefined;
      const texts = textsOf(code, id).map(([key, text]) => [key, parsed(text)]);
      const json = JSON.stringify(Object.fromEntries(texts));
      // With a query, Vite does not treat the file as JSON.
      return id.endsWith(".json") ? { code: json, map: null } : { code: `export default ${json}`, moduleType: "js" };
    },
  };
}
