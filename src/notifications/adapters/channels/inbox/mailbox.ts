import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Context, Hono } from "hono";
import { contentSecurityPolicy, newNonce } from "../../../../http/security.ts";
import { BACKGROUND_POLL, type HttpEnv } from "../../../../http/session.ts";
import { normaliseEmail } from "../../../../shared/email_address.ts";
import { negotiateLanguage } from "../../../../shared/language.ts";
import type { MessageSender, Translate } from "../../../ports.ts";
import { intlTranslate } from "../../translate.ts";
import { parseSender } from "../email/email_from.ts";
import { layOut } from "../email/email_layout.ts";
import { channelTabs, type Show } from "./mailbox_channels.ts";
import { listPage, messagePage, type StoredMail } from "./mailbox_pages.ts";
import { type PageOptions, SCRIPT, type Tab } from "./mailbox_shell.ts";
import type { StandIns } from "./mailbox_stand_ins.ts";

const KEPT = 200;

/** Newest first. */
function fileNames(directory: string): string[] {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .reverse();
}

function readMail(directory: string, name: string): StoredMail {
  return JSON.parse(readFileSync(join(directory, name), "utf8")) as StoredMail;
}

/** Stores mails as files instead of sending them, for development. */
export function mailboxSender({ directory, from }: { directory: string; from: string }): MessageSender {
  const { address } = parseSender(from);
  let count = 0;
  return {
    channel: "email",
    async send({ to, messageId, content }) {
      if (normaliseEmail(to.value) !== to.value)
        return { kind: "dead", cause: "recipient", reason: "no email address" };
      const date = new Date();
      count = (count + 1) % 10_000;
      const id = `${date.toISOString().replaceAll(/\D/g, "")}-${String(count).padStart(4, "0")}-${crypto.randomUUID().slice(0, 8)}`;
      const mail: StoredMail = {
        id,
        from: address,
        to: to.value,
        subject: content.subject,
        ...(content.code && { code: content.code.value }),
        ...layOut(content),
        date: date.toISOString(),
        messageId,
      };
      const names = fileNames(directory);
      writeFileSync(join(directory, `${id}.tmp`), JSON.stringify(mail), { mode: 0o600 });
      renameSync(join(directory, `${id}.tmp`), join(directory, `${id}.json`));
      for (const name of names.slice(KEPT - 1)) rmSync(join(directory, name), { force: true });
      return { kind: "delivered", providerId: id };
    },
  };
}

export type InboxOptions = {
  /** Where mails are stored; undefined when they are really sent. */
  directory: string | undefined;
  /** Local replacements of other channels. */
  standIns?: StandIns | undefined;
  isLocal: (c: Context<HttpEnv>) => boolean;
  publicUrl: string;
  translate?: Translate;
  nameFor?: (payload: string) => Promise<string | undefined>;
  now: () => Date;
};

/** Pages that show developers the messages. On loopback only, as mails contain sign-in codes. */
export function inboxRoutes({
  directory,
  standIns = {},
  isLocal,
  publicUrl,
  translate = intlTranslate(),
  nameFor = async () => undefined,
  now,
}: InboxOptions) {
  const tabs: Tab[] = [
    ...(directory === undefined ? [] : (["mail"] as const)),
    ...(standIns.telegram ? (["telegram"] as const) : []),
    ...(standIns.pushover ? (["pushover"] as const) : []),
  ];
  const { origin } = new URL(publicUrl);
  const script = readFileSync(join(import.meta.dirname, "mailbox_inbox.js"), "utf8");

  function show(c: Context<HttpEnv>, render: (options: PageOptions) => string) {
    const nonce = c.req.header(BACKGROUND_POLL) === undefined ? newNonce() : undefined;
    const language = negotiateLanguage((c.req.header("Accept-Language") ?? "").split(","));
    const headers = { "Cache-Control": "no-store", "Content-Security-Policy": contentSecurityPolicy(nonce) };
    const say: PageOptions["say"] = (key, params = {}) => translate(language, `mail.${key}`, params);
    return c.html(render({ nonce, language, tabs, say }), 200, headers);
  }

  const routes = new Hono<HttpEnv>()
    .use("/mailbox/*", async (c, next) => (isLocal(c) ? next() : c.notFound()))
    .use("/mailbox/*", async (c, next) => {
      const site = c.req.header("Sec-Fetch-Site");
      const isOwn = site === undefined ? c.req.header("Origin") === origin : site === "same-origin";
      return c.req.method === "GET" || isOwn ? next() : c.text("", 403);
    })
    .get(SCRIPT, (c) => c.body(script, 200, { "Content-Type": "text/javascript; charset=utf-8" }))
    .route("/", channelTabs({ standIns, show, nameFor, now }));
  return directory === undefined ? routes : routes.route("/", mailTab(directory, show));
}

function mailTab(directory: string, show: Show) {
  const mails = () => fileNames(directory).map((name) => readMail(directory, name));
  return new Hono<HttpEnv>()
    .get("/mailbox", (c) => show(c, (options) => listPage(mails(), options)))
    .get("/mailbox/messages", (c) =>
      c.json(
        mails().map(({ id, to, subject, text, html, date }) => ({ id, to, subject, text, html, date })),
        200,
        { "Cache-Control": "no-store" },
      ),
    )
    .get("/mailbox/:id", (c) => {
      const name = fileNames(directory).find((name) => name === `${c.req.param("id")}.json`);
      return name === undefined ? c.notFound() : show(c, (options) => messagePage(readMail(directory, name), options));
    });
}
