import { join } from "node:path";
import { openPglite } from "../../src/database/pglite.ts";
import { type PostgresDatabase, postgresDatabase } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { MIGRATIONS } from "../backup/stage.ts";
import { removeDirectory, temporaryDirectory } from "../e2e/product.ts";
import { type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";
import { createDatabase, startPostgresServer } from "../support/postgres_server.ts";
import { type SmtpPeer, startSmtpPeer } from "../support/smtp_peer.ts";
import { PATIENT } from "./bench.ts";
import type { Sent } from "./ledger.ts";

const ROOT = join(import.meta.dirname, "../..");

/** What survives a process: the database, the source, and the mail server with its accepted mails. */
export type World = {
  env: Record<string, string>;
  hibp: HibpPeer;
  smtp: SmtpPeer;
  sent: Sent[];
  during<T>(work: (database: PostgresDatabase) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

/** Keeps only the relevant parts of each mail. */
function logged(smtp: SmtpPeer): Sent[] {
  const sent: Sent[] = [];
  smtp.received.push = (...mails) => {
    for (const { mail } of mails) {
      const delivery = mail.headers.find(({ key }) => key === "x-entity-ref-id")?.value ?? "";
      sent.push({ delivery, messageId: mail.messageId ?? "" });
    }
    return sent.length;
  };
  return sent;
}

export async function openWorld(kind: "postgres" | "pglite"): Promise<World> {
  const [hibp, smtp] = await Promise.all([startHibpPeer({ subscription: { Rpm: 60_000 } }), startSmtpPeer()]);
  const server = kind === "postgres" ? await startPostgresServer() : undefined;
  const place = temporaryDirectory();
  const url = server ? await createDatabase(server.url) : "embedded";
  return {
    hibp,
    smtp,
    sent: logged(smtp),
    env: {
      PATH: process.env.PATH ?? "",
      HOME: process.env.HOME ?? "",
      DATA_DIR: place,
      DATABASE_URL: url,
      SMTP_URL: smtp.url,
      MAIL_FROM: "alerts@breachbell.example",
      APP_SECRET: "one secret for all of these lives",
      BREACH_SOURCE: "hibp",
      HIBP_API_KEY: hibp.apiKey,
      HIBP_BASE_URL: hibp.url,
      HIBP_POLL_SECONDS: "1",
      LOGOS_BASE_URL: "off",
      BILLING: "off",
      BACKUP_AT: "off",
      LOG_LEVEL: "error",
    },
    async during(work) {
      const opened = await (server ? openServer(url, MIGRATIONS, PATIENT) : openPglite(place, MIGRATIONS));
      return work(await postgresDatabase(opened, postgresEvents)).finally(() => opened.close());
    },
    async stop() {
      await Promise.all([hibp.stop(), smtp.close(), server?.stop()]);
      removeDirectory(place);
    },
  };
}

/** One process of the product, from its start until it reports that it is running. */
export async function begin({ env }: World, port: number) {
  const running = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: ROOT,
    env: { ...env, PORT: String(port) },
    stdout: "pipe",
    stderr: "inherit",
  });
  const gone = () => running.kill("SIGKILL");
  process.on("exit", gone);
  let said = "";
  const decoder = new TextDecoder();
  const ready = Promise.withResolvers<void>();
  const over = (async () => {
    for await (const chunk of running.stdout) {
      said += decoder.decode(chunk, { stream: true });
      if (said.includes("is running")) ready.resolve();
    }
    ready.reject(new Error(`The product ended: ${said}`));
  })();
  ready.promise.catch(() => {});
  await ready.promise;
  return {
    async kill(): Promise<void> {
      gone();
      await Promise.all([running.exited, over]);
      process.off("exit", gone);
    },
  };
}
