import { isIP } from "node:net";
import { normaliseEmail } from "../../../../shared/email_address.ts";
import type { Message, MessageSender } from "../../../ports.ts";
import {
  contentOf,
  longestSend,
  type Mail,
  smtpConnections,
  TIME_LIMITS,
  type TimeLimits,
} from "./email_connections.ts";
import { parseSender } from "./email_from.ts";
import { layOut } from "./email_layout.ts";
import { mimeOf } from "./email_mime.ts";
import { codeOf, smtpFailure } from "./smtp_failure.ts";

export type SmtpOptions = {
  /**
   * `smtp://user:password@host:587` or `smtps://…:465`. `?tls=off` allows plain text to another machine, `?servername=` is the
   * name in the server's certificate if it is not the host.
   */
  url: string;
  /** `Breachbell <alerts@breachbell.example>` or the bare address. */
  from: string;
  /** By which this server introduces itself (EHLO): the host of `PUBLIC_URL`. Many servers refuse an IP address. */
  hostName: string;
  /** The database's clock, as for everything else, for the header `Date`. */
  now: () => Date;
  limits?: TimeLimits;
  /** The server's limit, and what waits for it. */
  rate?: { perSecond: number; pace: () => Promise<void> } | undefined;
  /** Maximum number of connections. */
  connections?: number;
  /** Envelope sender by delivery, for bounces; defaults to the sender. */
  bounceAddress?: ((deliveryId: string) => string) | undefined;
};

export type SmtpSender = MessageSender & {
  /** Connects and authenticates; throws when the server refuses. */
  verify(): Promise<void>;
  close(): Promise<void>;
};

/** So that this sender decides how a send ended. */
const MARGIN_MS = 5000;

function serverOf(url: string) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === "smtps:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const isLoopback = host === "localhost" || host === "::1" || host.startsWith("127.");
  const plain = isLoopback || searchParams.get("tls") === "off";
  const servername = searchParams.get("servername") ?? undefined;
  return {
    host,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !plain,
    ignoreTLS: !secure && plain,
    servername,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
}

/** Sends mail by SMTP over one connection pool. */
export function smtpSender({
  url,
  from,
  hostName,
  now,
  limits = TIME_LIMITS,
  rate,
  connections: most = 5,
  bounceAddress,
}: SmtpOptions): SmtpSender {
  const sender = parseSender(from);
  const { auth, ...server } = serverOf(url);
  const connections = smtpConnections({
    server: { ...server, name: isIP(hostName) === 4 ? `[${hostName}]` : hostName.replace(/^\[/, "[IPv6:") },
    auth,
    most,
    limits,
    pace: rate?.pace ?? (async () => {}),
  });
  async function mailOf({ deliveryId, messageId, to, content, replyTo, oneClickUrl }: Message): Promise<Mail> {
    const mime = await mimeOf({
      from: sender,
      to: { name: "", address: to.value },
      ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
      subject: content.subject,
      messageId,
      date: now(),
      headers: {
        "Auto-Submitted": "auto-generated",
        "Content-Language": content.language,
        "X-Entity-Ref-ID": deliveryId,
        ...(oneClickUrl && {
          "List-Unsubscribe": `<${oneClickUrl}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }),
      },
      ...layOut(content),
    });
    return {
      envelope: { from: bounceAddress?.(deliveryId) ?? sender.address, to: [to.value] },
      content: contentOf(mime),
      isUrgent: content.code !== undefined,
    };
  }

  return {
    channel: "email",
    deadlineMs: longestSend(limits) + MARGIN_MS,
    ...(rate && { limit: { current: () => ({ per: "second" as const, most: rate.perSecond }) } }),
    async send(message) {
      if (normaliseEmail(message.to.value) !== message.to.value)
        return { kind: "dead", cause: "recipient", reason: "no email address" };
      const mail = await mailOf(message);
      try {
        const sent = await connections.send(mail);
        if (!sent) return { kind: "retry", scope: "contact", reason: "no connection to the mail server was free" };
        return { kind: "delivered", providerId: sent.serverMessageId ?? sent.response };
      } catch (error) {
        return smtpFailure(error, mail.content.wasRead);
      }
    },
    async verify() {
      await connections.verify().catch((error) => {
        throw Object.assign(error, { code: codeOf(error) });
      });
    },
    close: connections.close,
  };
}
