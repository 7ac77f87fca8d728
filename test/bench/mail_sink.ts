// A mail server in a process of its own, so that what it costs is not the sender's: it accepts everything and
// reads nothing but, where asked to, the codes in what it takes.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

const CODES = "--codes";

export type Sink = Awaited<ReturnType<typeof spawnSink>>;

export async function spawnSink({ readsCodes = false } = {}) {
  const command = [process.execPath, import.meta.path, ...(readsCodes ? [CODES] : [])];
  const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const answers: ((line: string) => void)[] = [];
  /** By address: codes that came and nobody has asked for, and who waits for one. */
  const codes = new Map<string, PromiseWithResolvers<string>>();
  function codeOf(email: string): PromiseWithResolvers<string> {
    const known = codes.get(email) ?? Promise.withResolvers<string>();
    codes.set(email, known);
    return known;
  }
  function heard(line: string): void {
    const { to, code } = JSON.parse(line) as { to?: string; code?: string };
    if (to !== undefined && code !== undefined) codeOf(to).resolve(code);
    else answers.shift()?.(line);
  }
  async function listen(): Promise<void> {
    const decoder = new TextDecoder();
    let said = "";
    for await (const chunk of child.stdout) {
      const lines = (said + decoder.decode(chunk, { stream: true })).split("\n");
      said = lines.pop() ?? "";
      for (const line of lines) heard(line);
    }
  }
  function answer<T>(): Promise<T> {
    return new Promise((resolve) => answers.push((line) => resolve(JSON.parse(line) as T)));
  }
  const port = answer<{ port: number }>();
  void listen();
  return {
    ...(await port),
    /** How many mails it took so far, and the last one's text. */
    accepted() {
      child.stdin.write("?\n");
      child.stdin.flush();
      return answer<{ count: number; last: string }>();
    },
    /** The code in the mail to somebody, as soon as it is there; each is told once. */
    async codeTo(email: string): Promise<string> {
      const code = await codeOf(email).promise;
      codes.delete(email);
      return code;
    },
    async stop(): Promise<void> {
      child.kill();
      await child.exited;
    },
  };
}

if (import.meta.main) {
  let count = 0;
  let last: Buffer[] = [];
  const readsCodes = process.argv.includes(CODES);
  const tell = (what: unknown) => console.log(JSON.stringify(what));
  const server = new SMTPServer({
    ...{ disabledCommands: ["STARTTLS", "AUTH"], authOptional: true, disableReverseLookup: true },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        count += 1;
        last = chunks;
        const [, code] = (readsCodes && /^(\d{6}) is your /m.exec(Buffer.concat(chunks).toString())) || [];
        if (code) for (const { address } of envelope.rcptTo) tell({ to: address, code });
        callback(null, "kept");
      });
    },
  });
  server.on("error", () => {
    // Senders that end cut their lines.
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  tell({ port: (server.server.address() as AddressInfo).port });
  for await (const _ of console) tell({ count, last: Buffer.concat(last).toString("utf8") });
  // Who started it has ended.
  process.exit();
}
