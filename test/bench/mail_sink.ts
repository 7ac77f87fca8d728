// A mail server in a separate process, so that its cost is not the sender's: it accepts everything and
// parses nothing but, on request, the codes in its mails.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

const CODES = "--codes";
const WITHIN_MS = 30_000;

export type Sink = Awaited<ReturnType<typeof spawnSink>>;

export async function spawnSink({ readsCodes = false } = {}) {
  const command = [process.execPath, import.meta.path, ...(readsCodes ? [CODES] : [])];
  const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  // A failed measurement must not leave it running.
  process.on("exit", () => child.kill());
  const answers: ((line: string) => void)[] = [];
  const codes = new Map<string, string>();
  const waiting = new Map<string, (code: string) => void>();
  /** A line that answers no request is a code that has just arrived. */
  function heard(line: string): void {
    const [, to = "", code = ""] = /^code (\S+) (\d{6})$/.exec(line) ?? [];
    const wake = code === "" ? answers.shift() : waiting.get(to);
    if (wake) wake(code || line);
    else codes.set(to, code);
    waiting.delete(to);
  }
  const answer = <T>() => new Promise<T>((resolve) => answers.push((line) => resolve(JSON.parse(line) as T)));
  async function listen(): Promise<void> {
    const decoder = new TextDecoder();
    let said = "";
    for await (const chunk of child.stdout) {
      const lines = (said + decoder.decode(chunk, { stream: true })).split("\n");
      said = lines.pop() ?? "";
      for (const line of lines) heard(line);
    }
  }
  const port = answer<number>();
  void listen();
  return {
    port: await port,
    /** The number of mails accepted so far, and the last one's text. */
    accepted() {
      child.stdin.write("?\n");
      child.stdin.flush();
      return answer<{ count: number; last: string }>();
    },
    /** The code of the next mail to a recipient that has one, each returned once, as soon as it arrives. */
    codeTo(email: string): Promise<string> {
      const code = codes.get(email);
      codes.delete(email);
      if (code !== undefined) return Promise.resolve(code);
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`No code for ${email} within ${WITHIN_MS} ms`)), WITHIN_MS);
        waiting.set(email, (arrived) => {
          clearTimeout(late);
          resolve(arrived);
        });
      });
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
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    authOptional: true,
    disableReverseLookup: true,
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        count += 1;
        last = chunks;
        const [, code] = (readsCodes && /^(\d{6}) is your /m.exec(Buffer.concat(chunks).toString())) || [];
        if (code) for (const { address } of envelope.rcptTo) console.log(`code ${address} ${code}`);
        callback(null, "kept");
      });
    },
  });
  server.on("error", () => {
    // Senders that exit cut their connections.
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  console.log((server.server.address() as AddressInfo).port);
  for await (const _question of console)
    console.log(JSON.stringify({ count, last: Buffer.concat(last).toString("utf8") }));
  // The process that started it has ended.
  process.exit();
}
