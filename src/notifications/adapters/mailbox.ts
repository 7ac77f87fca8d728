import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Context, Hono } from "hono";
import { contentSecurityPolicy } from "../../http/security.ts";
import type { HttpEnv } from "../../http/session.ts";
import { normaliseEmail } from "../../shared/email_address.ts";
import { negotiateLanguage } from "../../shared/language.ts";
import type { MessageSender, Translate } from "../ports.ts";
import { parseSender } from "./email_from.ts";
import { layOut } from "./email_layout.ts";
import { intlTranslate } from "./intl.ts";
import { listPage, type MailboxWords, messagePage, type StoredMail } from "./mailbox_pages.ts";

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

/** Keeps mail as files instead of sending it, for development: nothing leaves the machine. */
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

type MailboxOptions = { isLocal: (c: Context<HttpEnv>) => boolean; translate?: Translate };

/** The pages on which a developer reads that mail. For this machine only: the mails hold sign-in codes. */
export function mailboxRoutes(directory: string, { isLocal, translate = intlTranslate() }: MailboxOptions) {
  function wordsFor(c: Context<HttpEnv>): MailboxWords {
    const language = negotiateLanguage((c.req.header("Accept-Language") ?? "").split(","));
    return { language, say: (key) => translate(language, `mail.${key}`) };
  }

  function page(c: Context<HttpEnv>, render: (nonce: string) => string) {
    const nonce = crypto.randomUUID().replaceAll("-", "");
    const headers = { "Cache-Control": "no-store", "Content-Security-Policy": contentSecurityPolicy(nonce) };
    return c.html(render(nonce), 200, headers);
  }

  const mails = () => fileNames(directory).map((name) => readMail(directory, name));

  return new Hono<HttpEnv>()
    .use("/mailbox/*", async (c, next) => (isLocal(c) ? next() : c.notFound()))
    .get("/mailbox", (c) => page(c, (nonce) => listPage(mails(), { nonce, ...wordsFor(c) })))
    .get("/mailbox/messages", (c) =>
      c.json(
        mails().map(({ id, to, subject, text, html, date }) => ({ id, to, subject, text, html, date })),
        200,
        { "Cache-Control": "no-store" },
      ),
    )
    .get("/mailbox/:id", (c) => {
      const name = fileNames(directory).find((name) => name === `${c.req.param("id")}.json`);
      return name === undefined
        ? c.notFound()
        : page(c, (nonce) => messagePage(readMail(directory, name), { nonce, ...wordsFor(c) }));
    });
}
