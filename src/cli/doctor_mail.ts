import { resolveTxt } from "node:dns/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { parseSender } from "../notifications/adapters/channels/email/email_from.ts";
import { smtpFailure } from "../notifications/adapters/channels/email/smtp_failure.ts";
import type { Content } from "../notifications/messages/content.ts";
import type { MessageSender as Sender } from "../notifications/ports.ts";
import { PRODUCT } from "../shared/product.ts";
import type { DatabaseContext } from "./command.ts";
import { type Finding, fail, finding, ok, warn } from "./doctor_finding.ts";

/** Domains without public DNS records. */
const PRIVATE = /(^|\.)(localhost|localdomain|local|internal|test|example|invalid)$|(^|\.)example\.(com|net|org)$/;

const PORTS = "Look at host and port in SMTP_URL, and whether a firewall closes the port";
const UNTRUSTED = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_)/;
const CAUSES: Record<string, [says: string, mend: string]> = {
  EDNS: ["The mail server's name cannot be resolved", "Correct the host in SMTP_URL"],
  ENOTFOUND: ["The mail server's name cannot be resolved", "Correct the host in SMTP_URL"],
  ECONNREFUSED: ["The mail server refused the connection", "Look at host and port in SMTP_URL"],
  EHOSTUNREACH: ["No route leads to the mail server", "Look at the host in SMTP_URL and at the network"],
  ENETUNREACH: ["No route leads to the mail server", "Look at the host in SMTP_URL and at the network"],
  ETIMEDOUT: ["The mail server does not answer in time", PORTS],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "The mail server's certificate is for another name",
    "Set the host in SMTP_URL to that name, or add it: ?servername=mail.example",
  ],
};

type Reply = { code?: unknown; responseCode?: unknown };

/** By the kind of failure only, as a server's message may quote the request. */
export function mendOf(error: unknown): [says: string, mend: string] {
  const { code, responseCode } = error as Reply;
  const known = typeof code === "string" ? CAUSES[code] : undefined;
  if (known) return known;
  const kind = [code, responseCode].filter((part) => part !== undefined).join(" ");
  if (code === "EAUTH" || responseCode === 535)
    return [`The mail server refuses user or password (${kind})`, "Correct user and password in SMTP_URL"];
  if (typeof code === "string" && UNTRUSTED.test(code))
    return [
      `The mail server's certificate is not trusted (${code})`,
      "Point NODE_EXTRA_CA_CERTS at the certificate of its authority, or renew the server's",
    ];
  if (code === "ETLS")
    return [
      `No secure connection could be established (${kind})`,
      "Let the server offer STARTTLS with a valid certificate, or use smtps://…:465",
    ];
  if (code === "ESOCKET" || code === "ECONNECTION")
    return [`The mail server cannot be reached (${kind})`, "Look at host, port and certificate"];
  const outcome = smtpFailure(error, false);
  return [`The mail server refused the login (${kind || outcome.kind})`, "Look at SMTP_URL"];
}

async function textsOf(name: string): Promise<string[] | undefined> {
  try {
    return (await resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENODATA" || code === "ENOTFOUND" ? [] : undefined;
  }
}

/** DNS records that can be checked from outside. DKIM cannot, as its selector is chosen by the mail server. */
async function checkDomain(domain: string): Promise<Finding[]> {
  if (PRIVATE.test(domain))
    return [
      warn(`Mails come from ${domain}, which cannot be looked up`, "Set MAIL_FROM to an address of your own domain"),
    ];
  const [texts, policies] = await Promise.all([textsOf(domain), textsOf(`_dmarc.${domain}`)]);
  if (texts === undefined || policies === undefined)
    return [ok(`SPF and DMARC of ${domain} cannot be looked up from here`)];
  const hasSpf = texts.some((text) => /^v=spf1(\s|$)/i.test(text));
  const hasPolicy = policies.some((text) => /^v=DMARC1(;|\s|$)/i.test(text));
  return [
    hasSpf
      ? ok(`${domain} has SPF; let its mail server sign with DKIM, too`)
      : warn(
          `${domain} has no SPF`,
          `Add a TXT record at ${domain}: "v=spf1 … -all" with your mail server, and let it sign with DKIM`,
        ),
    hasPolicy
      ? ok(`${domain} has DMARC`)
      : warn(`${domain} has no DMARC`, `Add a TXT record at _dmarc.${domain}: "v=DMARC1; p=quarantine"`),
  ];
}

/** As the server sends; to the local mailbox if that is what it does. */
async function senderOf({ mail, publicUrl, dataDir }: Config): Promise<Sender> {
  if (mail.kind === "mailbox") {
    const { mailboxSender } = await import("../notifications/adapters/channels/inbox/mailbox.ts");
    return mailboxSender({ directory: join(dataDir, "mailbox"), from: mail.from });
  }
  const { smtpSender } = await import("../notifications/adapters/channels/email/email.ts");
  return smtpSender({
    url: mail.url,
    from: mail.from,
    hostName: new URL(publicUrl).hostname,
    now: () => new Date(),
  });
}

/** Sends one mail to this address, past the queue, and says what the mail server made of it. */
export async function sendTest({ config }: DatabaseContext, address: string): Promise<Finding[]> {
  const sender = await senderOf(config);
  const id = Bun.randomUUIDv7();
  const host = new URL(config.publicUrl).hostname;
  const words = `This mail was sent by "breachbell doctor --send-test" on ${host}. If you can read it, mail leaves.`;
  const content = {
    language: "en",
    subject: `Test mail from ${PRODUCT}`,
    preview: words,
    heading: "Test mail",
    blocks: [{ kind: "paragraph", text: words }],
    footer: [],
    links: [],
  } satisfies Content;
  const to = { channel: "email", value: address } as const;
  const outcome = await sender.send({ deliveryId: id, messageId: `<${id}@${host}>`, to, content });
  await sender.close?.();
  if (outcome.kind === "delivered")
    return [ok(`The mail server has accepted a test mail to ${address} (${outcome.providerId ?? "no id"})`)];
  const mend = {
    retry: "Look at the cause; such a mail is tried again by itself",
    dead: outcome.kind === "dead" && outcome.cause === "message" ? "Report it" : "Try another address",
    misconfigured: "Mend it at the mail server, or in SMTP_URL and MAIL_FROM",
  }[outcome.kind];
  return [fail(`A test mail to ${address} was not accepted: ${outcome.reason}`, mend)];
}

/** Connects, upgrades with STARTTLS and authenticates as for a mail, but sends none. */
export async function checkMail({ config }: DatabaseContext): Promise<Finding[]> {
  const { mail, production } = config;
  if (mail.kind === "mailbox")
    return [
      finding(
        production ? "fail" : "warn",
        "Emails stay in the local mailbox and are not delivered",
        "Set SMTP_URL and MAIL_FROM",
      ),
    ];
  const sender = await senderOf(config);
  const { protocol, hostname, searchParams } = new URL(mail.url);
  try {
    await sender.verify?.();
  } catch (error) {
    return [fail(...mendOf(error))];
  } finally {
    await sender.close?.();
  }
  const isPlain = searchParams.get("tls") === "off";
  const how = protocol === "smtps:" ? "TLS" : isPlain ? "plain text" : "STARTTLS where it is not this machine";
  const list = [
    finding(
      isPlain ? "warn" : "ok",
      `${hostname} lets us in, by ${how}`,
      isPlain ? "Take ?tls=off out of SMTP_URL: passwords and codes can be read on the way" : undefined,
    ),
  ];
  const domain = parseSender(mail.from).address.split("@")[1] ?? "";
  list.push(...(await checkDomain(domain)));
  if (mail.bounces === undefined)
    list.push(
      warn(
        "Nobody reads mails that come back",
        "Set BOUNCE_DOMAIN and BOUNCE_SECRET, so that dead addresses are noticed",
      ),
    );
  return list;
}
