// `bun run bench`: one JSON line each, mostly with the share of a raw limit measured in the same run, for orientation. A
// line whose `pass` is false makes the run fail.
import { parseArgs } from "node:util";
import { createDatabase, startPostgresServer } from "../support/postgres_server.ts";
import { tell } from "./figures.ts";
import { LINES } from "./lines.ts";
import { populated } from "./population.ts";

const USAGE = `bun run bench [--only <line>]… [--short]

  --only <line>  this line alone; may be repeated
  --short        small sizes: a quick look, not the figures that count
  --help         this text

Each line says its rate, or another figure (medians), what share of a raw limit that is, the spread, the bounds where
there are any, and whether they are kept. The exit code is 0 when all are, 1 when one is not, 2 when an argument is wrong.

Lines:
${LINES.map(({ line, what }) => `  ${line.padEnd(15)} ${what}`).join("\n")}`;

function argumentsOf() {
  try {
    return parseArgs({
      options: {
        only: { type: "string", multiple: true, default: [] },
        short: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

const { only, short, help } = argumentsOf();
if (help) {
  console.log(USAGE);
  process.exit(0);
}
const unknown = only.filter((name) => !LINES.some(({ line }) => line === name));
if (unknown.length > 0) {
  console.error(`There is no line ${unknown.join(", ")}; there are ${LINES.map(({ line }) => line).join(", ")}`);
  process.exit(2);
}

let server: ReturnType<typeof startPostgresServer> | undefined;
async function newDatabase(): Promise<string> {
  server ??= startPostgresServer();
  return createDatabase((await server).url);
}

const { copy, end } = populated(short, newDatabase);
for (const { line, measure } of LINES) {
  if (only.length > 0 && !only.includes(line)) continue;
  // A line that cannot be measured fails, and the others are still measured.
  await measure({ short, newDatabase, populated: copy }).catch((error: unknown) => {
    console.error(error);
    tell({ line, error: error instanceof Error ? error.message : String(error), pass: false });
  });
}
await end();
await (await server)?.stop();
process.exit();
