import { join } from "node:path";
import { newKey, noPushover, pushoverStandIn } from "../pushover/pushover_stand_in.ts";
import { telegramStandIn } from "../telegram/telegram_stand_in.ts";
import { noTelegram } from "../telegram/telegram_stand_in_model.ts";
import { standInFile } from "./mailbox_state.ts";

/** Longer than a long poll for updates. */
const IDLE_SECONDS = 60;

/**
 * Local replacements of Telegram and Pushover for installations without them: an HTTP server on loopback that the real adapters
 * call, with tokens generated for this process.
 */
export function openStandIns({ directory, now }: { directory: string; now: () => Date }) {
  const tokens = { telegram: `1:${newKey()}`, pushover: newKey() };
  const telegram = telegramStandIn({
    memory: standInFile(join(directory, "telegram.json"), noTelegram),
    token: tokens.telegram,
    now,
  });
  const pushover = pushoverStandIn({
    memory: standInFile(join(directory, "pushover.json"), noPushover),
    token: tokens.pushover,
    now,
  });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: IDLE_SECONDS,
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      return pathname.startsWith("/bot") ? telegram.answer(pathname, request) : pushover.answer(pathname, request);
    },
  });
  // Does not keep the process of a command alive.
  server.unref();
  const root = `http://127.0.0.1:${server.port}`;
  return {
    telegram,
    pushover,
    /** How the adapters reach it. */
    telegramAccess: { baseUrl: root, token: tokens.telegram, webhookSecret: undefined },
    pushoverAccess: { baseUrl: `${root}/1`, appToken: tokens.pushover },
    close: () => server.stop(true),
  };
}
/** The replacements that are in use. */
export type StandIns = Partial<Pick<ReturnType<typeof openStandIns>, "telegram" | "pushover">>;
