import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { liveAdapters } from "./adapters.ts";
import { compose } from "./compose.ts";
import { loadConfig } from "./config.ts";
import { createLog } from "./log.ts";

const USAGE = `Messages that ended without arriving, and a second chance for them.

  bun run deliveries [--page N]       lists them, the latest first
  bun run deliveries resend <id> …    tries these again
  bun run deliveries release          tries again what waits for a mended configuration

With the embedded database the server must be stopped first; a database server may be used at the same time.`;

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}

const { values, positionals } = (() => {
  try {
    const options = { page: { type: "string" }, help: { type: "boolean" } } as const;
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
})();
const [command = "list", ...ids] = positionals;
const page = Number(values.page ?? "1");
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
if (!["list", "resend", "release"].includes(command) || !(page >= 1) || (command === "resend" && ids.length === 0))
  stop(USAGE);

const loaded = loadConfig(process.env, (path) => readFileSync(path, "utf8"));
if (!loaded.ok)
  stop(`Please mend the configuration:\n${loaded.problems.map((problem) => `  - ${problem}`).join("\n")}`);
const log = createLog("error", (line) => console.error(line));
const { adapters, close } = await liveAdapters(loaded.config, log).catch((error: Error) => stop(error.message));
const { notifications } = compose(adapters, loaded.config);

async function list(): Promise<void> {
  const { items, total, pageSize } = await notifications.listDead(page);
  for (const { id, at, channel, value, kind, reason, detail, tries } of items)
    console.log(`${id}  ${at}  ${channel} ${value}  ${kind}  ${reason}: ${detail ?? "–"} (${tries} tries)`);
  console.log(`${total} in all, page ${page} of ${Math.max(1, Math.ceil(total / pageSize))}`);
}

async function resend(): Promise<number> {
  let unknown = 0;
  for (const id of ids) {
    const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
    const resent = isId && (await notifications.resend(id)).ok;
    console.log(`${id}  ${resent ? "is tried again" : "is no message that ended without arriving"}`);
    if (!resent) unknown += 1;
  }
  return unknown;
}

let failed = 0;
if (command === "list") await list();
else if (command === "resend") failed = await resend();
else console.log(`${await notifications.releaseHeld("misconfigured")} are tried again`);
await close();
process.exit(failed === 0 ? 0 : 1);
