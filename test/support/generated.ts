import { join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { parse } from "../../src/cli/parse.ts";
import { readTree, sourcesOf } from "../architecture/imports.ts";
import { arrowsOf, picture } from "../architecture/rooms.ts";
import { settingsTable } from "./settings_table.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The document with `text` between the markers of that name. Throws if they are missing. */
function withBlock(document: string, name: string, text: string): string {
  const [opening, closing] = [`<!-- ${name}: bun run settings -->`, `<!-- /${name} -->`];
  const [from, to] = [document.indexOf(opening), document.indexOf(closing)];
  if (from < 0 || to < from) throw new Error(`Cannot find "${opening}" and "${closing}" behind it`);
  return `${document.slice(0, from + opening.length)}\n\n${text}\n\n${document.slice(to)}`;
}

const rooms = () => picture(arrowsOf(sourcesOf(readTree(ROOT, ["src"])), { adapters: true }));
function commands(): string {
  const parsed = parse(COMMANDS, ["help"], { colours: false, columns: 120 });
  return parsed.kind === "help" ? parsed.text : "";
}

/** For each document with a generated section, the function that updates it. */
export const GENERATED: Record<string, (document: string) => string> = {
  "docs/configuration.md": (document) => withBlock(document, "settings", settingsTable()),
  "docs/architecture.md": (document) => withBlock(document, "rooms", `\`\`\`mermaid\n${rooms()}\n\`\`\``),
  "docs/cli.md": (document) => withBlock(document, "commands", `\`\`\`\n${commands()}\n\`\`\``),
};
