import type { AddressInfo, Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** What the server does wrong from now on: refuse at a step with a reply, keep silent, or cut the line. */
export type SmtpFault = {
  at: "connect" | "auth" | "mail" | "rcpt" | "data" | "accepted";
  does: { reply: number; text?: string } | "hang" | "drop";
};

export type ReceivedMail = { from: string; to: string[]; raw: string; mail: Email };

export type SmtpPeer = {
  /** For `SMTP_URL`; with user and password when it asks for them. */
  readonly url: string;
  /** Everything it took responsibility for, also when its answer was then lost. */
  readonly received: ReceivedMail[];
  /** Each RCPT TO, refused ones included. */
  readonly recipients: string[];
  readonly connections: number;
  break(fault: SmtpFault): void;
  repair(): void;
  /** Ends all connections without a word, as servers do with idle ones. */
  cut(): void;
  close(): Promise<void>;
};

function refusal(reply: number, text = "no"): Error {
  return Object.assign(new Error(text), { responseCode: reply });
}

/** A mail server on loopback that does as it is told. */
export async function startSmtpPeer({ password }: { password?: string } = {}): Promise<SmtpPeer> {
  const received: ReceivedMail[] = [];
  const recipients: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let fault: SmtpFault | undefined;

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  /** Goes wrong at this step if it is the one; else goes on. */
  function step(at: SmtpFault["at"], callback: (error?: Error) => void): void {
    if (fault?.at !== at) callback();
    else if (fault.does === "drop") cut();
    else if (fault.does !== "hang") callback(refusal(fault.does.reply, fault.does.text));
  }

  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: password === undefined ? ["STARTTLS", "AUTH"] : ["STARTTLS"],
    disableReverseLookup: true,
    onConnect: (_, callback) => step("connect", callback),
    onAuth(auth, _, callback) {
      step("auth", (error) => {
        if (error) callback(error);
        else if (auth.password !== password) callback(refusal(535, "authentication failed"));
        else callback(null, { user: auth.username });
      });
    },
    onMailFrom: (_, __, callback) => step("mail", callback),
    onRcptTo({ address }, _, callback) {
      recipients.push(address);
      step("rcpt", callback);
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        const refuses = fault?.at === "data";
        if (!refuses) {
          const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
          received.push({
            from,
            to: envelope.rcptTo.map(({ address }) => address),
            raw,
            mail: await PostalMime.parse(raw),
          });
        }
        step(refuses ? "data" : "accepted", (error) => callback(error ?? null, "kept as 42"));
      });
    },
  });
  server.on("error", () => {
    // Lines that are cut are what some of these tests are about.
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
