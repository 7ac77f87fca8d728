import { join } from "node:path";
import { newKey, noPushover, pushoverStandIn } from "../pushover/pushover_stand_in.ts";
import { telegramStandIn } from "../telegram/telegram_stand_in.ts";
import { noTelegram } from "../telegram/telegram_stand_in_model.ts";
import { standInFile } from "./mailbox_state.ts";

/** Longer than a wait for updates. */
const IDLE_SECONDS = 60;

/**
 * Telegram and Pushover on this machine, for who has set up neither: what the product's own adapters call listens on
 * loopback, to whoever has the tokens that were made for this process.
 */
export function openStandIns({ directory, now }: { directory: string; now: () => Date }) {
  const tokens = { telegram: `1:${newKey()}`, pushover: newKey() };
  const telegram = telegramStandIn({
    ...{ memory: standInFile(join(directory, "telegram.json"), noTelegram), token: tokens.telegram, now },
  });
  const pushover = pushoverStandIn({
    ...{ memory: standInFile(join(directory, "pushover.json"), noPushover), token: tokens.pushover, now },
  });
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0, idleTimeout: IDLE_SECONDS },
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      return pathname.startsWith("/bot") ? telegram.answer(pathname, request) : pushover.answer(pathname, request);
    },
  });
  // Whoever only runs a command does not wait for it.
  server.unref();
  const root = `http://127.0.0.1:${server.port}`;
  return {
    telegram,
    pushover,
    /** How the adapters get there. */
    telegramAccess: { baseUrl: root, token: tokens.telegram, webhookSecret: undefined },
    pushoverAccess: { baseUrl: `${root}/1`, appToken: tokens.pushover },
    close: () => server.stop(true),
  };
}
/** Those that stand in for something. */
export type StandIns = Partial<Pick<ReturnType<typeof openStandIns>, "telegram" | "pushover">>;
