import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import { normaliseEmail } from "../../../../shared/email_address.ts";
import type { Message, MessageSender } from "../../../ports.ts";
import { parseSender } from "./email_from.ts";
import { layOut } from "./email_layout.ts";
import { mimeWriter } from "./email_mime.ts";
import { smtpFailure } from "./smtp_failure.ts";

export type SmtpOptions = {
  /** `smtp://user:password@host:587` or `smtps://…:465`. `?tls=off` allows plain text to another machine. */
  url: string;
  /** `Breachbell <alerts@breachbell.example>` or the bare address. */
  from: string;
  /** By which this server introduces itself (EHLO): the host of `PUBLIC_URL`. Many servers refuse an IP address. */
  hostName: string;
  /** The database's clock, as for everything else, for the header `Date`. */
  now: () => Date;
  /** Shorter than the queue's send timeout, so that this sender decides the outcome. */
  deadlineMs?: number;
  messagesPerSecond?: number | undefined;
  /** Maximum number of connections. */
  connections?: number;
  /** Envelope sender by delivery, for bounces; defaults to the sender. */
  bounceAddress?: ((deliveryId: string) => string) | undefined;
};

export type SmtpSender = MessageSender & {
  /** Connects and authenticates; throws when the server refuses. */
  verify(): Promise<void>;
  close(): void;
};

function serverOf(url: string) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === "smtps:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const isLoopback = host === "localhost" || host === "::1" || host.startsWith("127.");
  const plain = isLoopback || searchParams.get("tls") === "off";
  return {
    host,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !plain,
    ignoreTLS: !secure && plain,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
}

/** A mail in the shape that nodemailer reads. Not a real stream, as its overhead would exceed all other work of sending. */
type Outgoing = Pick<Readable, "pipe"> & { readableDidRead: boolean };

function outgoing(mail: string): Outgoing {
  return {
    readableDidRead: false,
    pipe(connection) {
      this.readableDidRead = true;
      connection.end(mail);
      return connection;
    },
  };
}

/** Sends mail by SMTP over one connection pool. */
export function smtpSender({
  url,
  from,
  hostName,
  now,
  deadlineMs = 25_000,
  messagesPerSecond,
  connections = 5,
  bounceAddress,
}: SmtpOptions): SmtpSender {
  const sender = parseSender(from);
  const transport = createTransport({
    ...serverOf(url),
    name: isIP(hostName) === 4 ? `[${hostName}]` : hostName.replace(/^\[/, "[IPv6:"),
    pool: true,
    maxConnections: connections,
    maxMessages: 100,
    ...(messagesPerSecond && { rateLimit: messagesPerSecond, rateDelta: 1000 }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 60_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  const write = mimeWriter();
  // Tracks whether a mail's content has been read: until then, a lost connection has certainly sent nothing.
  const underWay = new Map<unknown, Outgoing>();
  transport.use("stream", ({ message, data }, done) => {
    message.createReadStream = () => {
      const mail = outgoing(String(data.raw));
      underWay.set(data.messageId, mail);
      return mail as Readable;
    };
    done();
  });

  function mailOf({ deliveryId, messageId, to, content, replyTo, oneClickUrl }: Message) {
    const headers = {
      From: sender,
      // As an object, because a string would be parsed and could name several recipients.
      To: { name: "", address: to.value },
      ...(replyTo !== undefined && { "Reply-To": { name: "", address: replyTo } }),
      Subject: content.subject,
      "Message-ID": messageId,
      Date: now(),
      "Auto-Submitted": "auto-generated",
      "Content-Language": content.language,
      "X-Entity-Ref-ID": deliveryId,
      ...(oneClickUrl && {
        "List-Unsubscribe": `<${oneClickUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    };
    return {
      envelope: { from: bounceAddress?.(deliveryId) ?? sender.address, to: [to.value] },
      messageId,
      raw: write({ headers, ...layOut(content) }),
      signal: AbortSignal.timeout(deadlineMs),
    };
  }

  return {
    channel: "email",
    ...(messagesPerSecond && { limit: { current: () => ({ per: "second" as const, most: messagesPerSecond }) } }),
    async send(message) {
      if (normaliseEmail(message.to.value) !== message.to.value)
        return { kind: "dead", cause: "recipient", reason: "no email address" };
      try {
        const { serverMessageId, response } = await transport.sendMail(mailOf(message));
        return { kind: "delivered", providerId: serverMessageId ?? response };
      } catch (error) {
        return smtpFailure(error, underWay.get(message.messageId)?.readableDidRead === true);
      } finally {
        underWay.delete(message.messageId);
      }
    },
    async verify() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}
