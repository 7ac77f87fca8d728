import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CHECKER = join(import.meta.dir, "../../node_modules/vnu-jar/build/dist/vnu.jar");
/** What browsers support but the checker does not know, and a delay without its unit; the component library uses them. */
const OF_THE_LIBRARY = [
  "CSS: “(text-box-(trim|edge)|container-type)”: Property .* doesn't exist\\.",
  "CSS: Unrecognized at-rule “@container”",
  "CSS: “animation-delay”: “0” is not a “animation-delay” value\\.",
].join("|");

type Message = { url: string; type: string; message: string; extract?: string };

/** The errors of the Nu HTML checker (the W3C's) in the named documents: one line each. */
export async function htmlErrors(documents: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "breachbell-html-"));
  const names = Object.keys(documents);
  for (const [at, html] of Object.values(documents).entries()) writeFileSync(join(folder, `${at}.html`), html);
  const command = ["java", "-jar", CHECKER, "--errors-only", "--exit-zero-always", "--format", "json"];
  const checker = Bun.spawn([...command, "--filterpattern", OF_THE_LIBRARY, folder], { stderr: "pipe" });
  const answer = await new Response(checker.stderr).text();
  if ((await checker.exited) !== 0) throw new Error(`Cannot check HTML: ${answer}`);
  rmSync(folder, { recursive: true });
  const { messages } = JSON.parse(answer) as { messages: Message[] };
  const nameOf = (url: string) => names[Number(/(\d+)\.html$/.exec(url)?.[1])];
  const lines = messages.map(
    ({ url, message, extract = "" }) => `${nameOf(url)}: ${message} ${JSON.stringify(extract)}`,
  );
  return [...new Set(lines)];
}
