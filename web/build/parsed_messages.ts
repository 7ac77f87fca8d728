import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";

const PLAIN = "abcdefghijklmnopqrstuvwxyz";
const ACCENTED = "áƀçđéƒğĥíĵķłɱñóƥɋřšŧúṽŵẋýž";

function accent(letter: string): string {
  const small = letter.toLowerCase();
  const accented = ACCENTED[PLAIN.indexOf(small)] ?? letter;
  return letter === small ? accented : accented.toUpperCase();
}

/** The same message in letters of a language that does not exist. */
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

/** What the words of the ways in begin with, and of what is around them: the others are fetched with other pages. */
const AT_THE_ENTRANCE = [
  ...["login", "register", "password", "field"],
  ...["frame", "promise", "privacy", "theme", "service_notice", "session", "draft", "error", "close"],
];

/** What the preview of an invitation shows of its mail. */
const INVITED = ["subject", "preview", "heading", "who"].map((part) => `invitation.${part}`);

/** The texts of a file of `locales/`, or of the part of it that its query names. */
function textsOf(code: string, id: string): [string, string][] {
  const texts = Object.entries(JSON.parse(code) as Record<string, string>);
  if (id.endsWith("?invitation")) return texts.filter(([key]) => INVITED.includes(key));
  if (!/\/ui\.json/.test(id)) return texts;
  const isWanted = id.endsWith("?entrance");
  return texts.filter(([key]) => AT_THE_ENTRANCE.includes(key.split(".")[0] ?? "") === isWanted);
}

/** Most messages are nothing but words: `i18n.tsx` makes them whole again. */
function briefly(parts: MessageFormatElement[]): MessageFormatElement[] | string {
  const [first] = parts;
  return parts.length === 1 && first?.type === TYPE.literal ? first.value : parts;
}

// Messages are parsed here, so that the browser needs no parser and a wrong one fails the build. With
// `vite --mode pseudo` all of them carry accents: what does not is written into the code instead of `locales/`.
export function parsedMessages(): Plugin {
  let isPseudo = false;
  const parsed = (text: string) => briefly(isPseudo ? accented(parse(text)) : parse(text));
  return {
    name: "parsed-messages",
    enforce: "pre",
    configResolved({ mode }) {
      isPseudo = mode === "pseudo";
    },
    transform(code, id) {
      if (!/\/locales\/\w+\/\w+\.json(\?(entrance|invitation))?$/.test(id)) return undefined;
      const texts = textsOf(code, id).map(([key, text]) => [key, parsed(text)]);
      const json = JSON.stringify(Object.fromEntries(texts));
      // With a query it no longer counts as JSON.
      return id.endsWith(".json") ? { code: json, map: null } : { code: `export default ${json}`, moduleType: "js" };
    },
  };
}
