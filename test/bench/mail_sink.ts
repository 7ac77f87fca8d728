// A mail server in a process of its own, so that what it costs is not the sender's: it accepts everything and
// reads nothing but, where asked to, the codes in what it takes.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

const CODES = "--codes";

export type Sink = Awaited<ReturnType<typeof spawnSink>>;

export async function spawnSink({ readsCodes = false } = {}) {
  const command = [process.execPath, import.meta.path, ...(readsCodes ? [CODES] : [])];
  const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  let said = "";
  const lines = child.stdout.getReader();
  const decoder = new TextDecoder();
  let asking: Promise<unknown> = Promise.resolve();
  async function answer<T>(): Promise<T> {
    while (!said.includes("\n")) said += decoder.decode((await lines.read()).value, { stream: true });
    const [line = "", ...rest] = said.split("\n");
    said = rest.join("\n");
    return JSON.parse(line) as T;
  }
  /** One question after the other. */
  function ask<T>(question: string): Promise<T> {
    const answered = asking.then(() => {
      child.stdin.write(`${question}\n`);
      child.stdin.flush();
      return answer<T>();
    });
    asking = answered.catch(() => undefined);
    return answered;
  }
  return {
    port: await answer<number>(),
    /** How many mails it took so far, and the last one's text. */
    accepted: () => ask<{ count: number; last: string }>("?"),
    /** The code in the last mail to somebody that had one; null before. */
    codeTo: (email: string) => ask<string | null>(email),
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
  const codes = new Map<string, string>();
  const server = new SMTPServer({
    ...{ disabledCommands: ["STARTTLS", "AUTH"], authOptional: true, disableReverseLookup: true },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        count += 1;
        last = chunks;
        const [, code] = (readsCodes && /^(\d{6}) is your /m.exec(Buffer.concat(chunks).toString())) || [];
        if (code) for (const { address } of envelope.rcptTo) codes.set(address, code);
        callback(null, "kept");
      });
    },
  });
  server.on("error", () => {
    // Senders that end cut their lines.
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  console.log((server.server.address() as AddressInfo).port);
  for await (const question of console)
    console.log(
      JSON.stringify(
        question === "?" ? { count, last: Buffer.concat(last).toString("utf8") } : (codes.get(question) ?? null),
      ),
    );
  // Who started it has ended.
  process.exit();
}
