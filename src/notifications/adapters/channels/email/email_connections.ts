import type { Readable } from "node:stream";
import SmtpConnection, {
  type SMTPConnectionOptions as ConnectionOptions,
  type SMTPConnectionSendInfo as SendInfo,
} from "nodemailer/lib/smtp-connection";
import { gate } from "../../../../outbound/request.ts";

const MINUTE_MS = 60_000;

/** How long a mail server may take (RFC 5321, 4.5.3.2). Hanging up earlier would lose mails or send them twice. */
export const TIME_LIMITS = {
  /** For its name and the connection, including TLS on a port of its own. */
  connectMs: 10_000,
  /** For its greeting (RFC 5321, 4.5.3.2.1). */
  greetingMs: 5 * MINUTE_MS,
  /** Without a byte, in reply to any command; as long as the longest one, after the mail (RFC 5321, 4.5.3.2.6). */
  answerMs: 10 * MINUTE_MS,
  /** For one mail altogether, on its connection. */
  mailMs: 30 * MINUTE_MS,
  /** A mail that the server has left unanswered for this long lets another one have a spare connection. */
  spareMs: 30_000,
  /** Of a mail, for a free connection. */
  placeMs: 5 * MINUTE_MS,
  /** For a check of the settings. */
  verifyMs: 30_000,
};
export type TimeLimits = typeof TIME_LIMITS;

export function longestSend({ placeMs, connectMs, greetingMs, answerMs, mailMs }: TimeLimits): number {
  const authentication = 2 * answerMs;
  return placeMs + connectMs + greetingMs + authentication + mailMs;
}

/** Servers end sessions after 5 minutes at the earliest (RFC 5321, 4.5.3.2.7). */
const IDLE_MS = 4 * MINUTE_MS;
/** Limit of mails per connection, as servers have one. */
const MOST_MAILS = 100;

export type Mail = { envelope: { from: string; to: string[] }; content: Content; isUrgent: boolean };

/** A mail's content in the shape that nodemailer reads. Not a real stream, as its overhead would exceed all other work of sending. */
type Content = Pick<Readable, "pipe"> & {
  /** Until then, a lost connection has certainly sent nothing. */
  wasRead: boolean;
};

export function contentOf(mail: Buffer): Content {
  return {
    wasRead: false,
    pipe(connection) {
      this.wasRead = true;
      connection.end(mail);
      return connection;
    },
  };
}

type Session = {
  connection: SmtpConnection;
  /** Rejects when the connection ends. */
  lost: Promise<never>;
  /** Ends the connection for this reason. */
  fail(error: Error): void;
  mails: number;
  idle?: ReturnType<typeof setTimeout>;
};

type Options = {
  server: ConnectionOptions;
  auth: { user: string; pass: string } | undefined;
  /** Limit of connections, and of spare ones in addition. With more than one, one of them is kept for urgent mails. */
  most: number;
  limits: TimeLimits;
  /** Waits until the next mail may be sent. */
  pace: () => Promise<void>;
};

function lateError(what: string): Error {
  return Object.assign(new Error(what), { code: "ETIMEDOUT" });
}

type Done<T> = (error?: Error | null, value?: T) => void;
const called = <T>(call: (done: Done<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value as T))));

/** The sessions with a mail server: opened when they are needed, reused, and ended when they have been idle for long. */
export function smtpConnections({ server, auth, most, limits, pace }: Options) {
  const idle: Session[] = [];
  const open = new Set<SmtpConnection>();
  const within = gate(most, limits.placeMs, most > 1 ? 1 : 0);
  let slow = 0;
  let isClosed = false;

  function newSession(): Session {
    const connection = new SmtpConnection({
      ...server,
      // Nodemailer counts the greeting and STARTTLS as parts of connecting.
      connectionTimeout: limits.connectMs + limits.greetingMs,
      greetingTimeout: limits.greetingMs,
      socketTimeout: limits.answerMs,
      dnsTimeout: limits.connectMs,
    });
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => {});
    const fail = (error: Error) => {
      reject(error);
      connection.close();
    };
    const session: Session = { connection, lost, fail, mails: 0 };
    connection.on("error", reject);
    connection.once("end", () => {
      open.delete(connection);
      clearTimeout(session.idle);
      if (idle.includes(session)) idle.splice(idle.indexOf(session), 1);
      // After the reply that ended it, if there was one.
      setImmediate(() => reject(Object.assign(new Error("the connection ended"), { code: "ECONNECTION" })));
    });
    open.add(connection);
    return session;
  }

  async function start(): Promise<Session> {
    if (isClosed) throw Object.assign(new Error("sending has ended"), { code: "ECONNECTION" });
    const session = newSession();
    const { connection, lost } = session;
    const timer = setTimeout(() => {
      if (connection.stage === "init") session.fail(lateError("no connection in time"));
    }, limits.connectMs);
    try {
      await Promise.race([called((done) => connection.connect(done)), lost]);
      if (auth && connection.allowsAuth) await Promise.race([called((done) => connection.login(auth, done)), lost]);
      return session;
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** For the next mail, or the end of the session. */
  function keep(session: Session): void {
    const { connection } = session;
    if (connection.destroyed) return;
    if (isClosed || session.mails >= MOST_MAILS || open.size > most + slow) {
      // Not by QUIT, whose answer the next connection would not wait for.
      connection.close();
      return;
    }
    idle.push(session);
    session.idle = setTimeout(() => {
      idle.splice(idle.indexOf(session), 1);
      connection.quit();
    }, IDLE_MS);
    session.idle.unref();
  }

  function take(): Session | undefined {
    const session = idle.pop();
    clearTimeout(session?.idle);
    return session;
  }

  /** Gives the place of a mail away once the server has left it unanswered for long; returns what ends that. */
  function spareWhenSlow(leave: () => void): () => void {
    let isSlow = false;
    const timer = setTimeout(() => {
      if (slow === most) return;
      isSlow = true;
      slow += 1;
      leave();
    }, limits.spareMs);
    return () => {
      clearTimeout(timer);
      if (isSlow) slow -= 1;
    };
  }

  /** Undefined when the server had ended this session, which has sent mails before, and has read none of this one. */
  async function sendOn(
    session: Session,
    { envelope, content }: Mail,
    leave: () => void,
  ): Promise<SendInfo | undefined> {
    const { connection, lost } = session;
    const timer = setTimeout(() => session.fail(lateError("no answer in time")), limits.mailMs);
    try {
      session.mails += 1;
      await Promise.race([pace(), lost]);
      const sent = called<SendInfo>((done) => connection.send(envelope, content as unknown as Readable, done));
      const info = await Promise.race([sent, lost]).finally(spareWhenSlow(leave));
      keep(session);
      return info;
    } catch (error) {
      const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
      const hasEnded = connection.destroyed && code !== "ETIMEDOUT";
      if (hasEnded && session.mails > 1 && !content.wasRead) return undefined;
      // The server refuses the mail, but goes on.
      if (!connection.destroyed && responseCode !== undefined)
        await Promise.race([called((done) => connection.reset(done)), lost]).then(
          () => keep(session),
          () => connection.close(),
        );
      else connection.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function transmit(mail: Mail, leave: () => void): Promise<SendInfo> {
    for (;;) {
      const sent = await sendOn(take() ?? (await start()), mail, leave);
      if (sent) return sent;
    }
  }

  return {
    /** Undefined when no connection became free in time. Throws nodemailer's errors. */
    send: (mail: Mail): Promise<SendInfo | undefined> => within((leave) => transmit(mail, leave), mail.isUrgent),

    /** Connects and authenticates; throws when the server refuses. */
    async verify(): Promise<void> {
      const started = start();
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(lateError("no greeting in time")), limits.verifyMs);
      // Also one that opens too late is ended.
      const ended = started.then(({ connection }) => connection.quit());
      await Promise.race([ended, late]).finally(() => clearTimeout(timer));
    },

    /** Ends all sessions, whatever they are doing. */
    async close(): Promise<void> {
      isClosed = true;
      for (const connection of open) connection.close();
    },
  };
}
