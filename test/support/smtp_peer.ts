import type { AddressInfo, Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from "./loopback_certificate.ts";

/**
 * How the server fails from now on: rejects a step with a reply, responds late, stays silent, or drops the connection.
 */
export type SmtpFault = {
  at: "connect" | "auth" | "mail" | "rcpt" | "data" | "accepted";
  does: { reply: number; text?: string } | { lateMs: number } | "hang" | "drop";
  /** Which mails are affected, by recipient; all if absent. */
  when?: (to: string[]) => boolean;
};

export type ReceivedMail = { from: string; to: string[]; raw: string; mail: Email };

export type SmtpPeer = {
  /** For `SMTP_URL`; with user and password if the server requires them. */
  readonly url: string;
  /** Everything it accepted, even if its response was then lost. */
  readonly received: ReceivedMail[];
  /** Each RCPT TO, including refused ones. */
  readonly recipients: string[];
  readonly connections: number;
  /** How each client introduced itself, with each mail. */
  readonly introductions: string[];
  break(fault: SmtpFault): void;
  repair(): void;
  /** Closes all connections without notice, as servers do with idle ones. */
  cut(): void;
  close(): Promise<void>;
};

type Callback = (error?: Error) => void;

function refusal(reply: number, text = "no"): Error {
  return Object.assign(new Error(text), { responseCode: reply });
}

type Options = {
  password?: string;
  /** By a certificate for "localhost" and "hooks.example" from a private authority; without it, in plain text. */
  tls?: "immediately" | "by STARTTLS";
};

/** A scriptable mail server on loopback. */
export async function startSmtpPeer({ password, tls }: Options = {}): Promise<SmtpPeer> {
  const received: ReceivedMail[] = [];
  const recipients: string[] = [];
  const introductions: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let fault: SmtpFault | undefined;

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  /** The failure at this step. */
  function faultAt(at: SmtpFault["at"], to: string[]): SmtpFault["does"] | undefined {
    return fault?.at === at && fault.when?.(to) !== false ? fault.does : undefined;
  }

  /** Fails as configured, or continues. */
  function meet(does: SmtpFault["does"] | undefined, { remotePort }: SMTPServerSession, goOn: Callback): void {
    if (does === undefined) goOn();
    else if (does === "drop") [...sockets].find((socket) => socket.remotePort === remotePort)?.destroy();
    else if (does === "hang") return;
    else if ("lateMs" in does) setTimeout(goOn, does.lateMs);
    else goOn(refusal(does.reply, does.text));
  }
  const step = (at: SmtpFault["at"], session: SMTPServerSession, goOn: Callback) =>
    meet(faultAt(at, []), session, goOn);

  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    ...(tls && { key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE, secure: tls === "immediately" }),
    disabledCommands: [...(tls ? [] : ["STARTTLS"]), ...(password === undefined ? ["AUTH"] : [])],
    disableReverseLookup: true,
    onConnect: (session, callback) => step("connect", session, callback),
    onAuth(auth, session, callback) {
      step("auth", session, (error) => {
        if (error) callback(error);
        else if (auth.password !== password) callback(refusal(535, "authentication failed"));
        else callback(null, { user: auth.username });
      });
    },
    onMailFrom(_, session, callback) {
      introductions.push(session.hostNameAppearsAs);
      step("mail", session, callback);
    },
    onRcptTo({ address }, session, callback) {
      recipients.push(address);
      meet(faultAt("rcpt", [address]), session, callback);
    },
    onData(stream, session, callback) {
      const { envelope } = session;
      const to = envelope.rcptTo.map(({ address }) => address);
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        const refused = faultAt("data", to);
        if (!refused) {
          const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
          received.push({
            from,
            to,
            raw,
            mail: await PostalMime.parse(raw),
          });
        }
        meet(refused ?? faultAt("accepted", to), session, (error) => callback(error ?? null, "kept as 42"));
      });
    },
  });
  server.on("error", () => {
    // Raw lines, because some tests are about overlong ones.
  });
  server.server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;

  return {
    url:
      password === undefined
        ? `smtp://127.0.0.1:${port}`
        : `smtp://breachbell:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    received,
    recipients,
    introductions,
    get connections() {
      return connections;
    },
    break(next) {
      fault = next;
    },
    repair() {
      fault = undefined;
    },
    cut,
    async close() {
      cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
