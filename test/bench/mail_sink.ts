// A mail server in a process of its own, so that what it costs is not the sender's: it accepts everything and reads nothing.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export async function spawnSink() {
  const child = Bun.spawn([process.execPath, import.meta.path], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  let said = "";
  const lines = child.stdout.getReader();
  const decoder = new TextDecoder();
  async function answer<T>(): Promise<T> {
    while (!said.includes("\n")) said += decoder.decode((await lines.read()).value, { stream: true });
    const [line = "", ...rest] = said.split("\n");
    said = rest.join("\n");
    return JSON.parse(line) as T;
  }
  return {
    port: await answer<number>(),
    /** How many mails it took so far, and the last one's text. */
    async accepted(): Promise<{ count: number; last: string }> {
      child.stdin.write("?\n");
      child.stdin.flush();
      return answer();
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
  const server = new SMTPServer({
    ...{ disabledCommands: ["STARTTLS", "AUTH"], authOptional: true, disableReverseLookup: true },
    onData(stream, _, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        count += 1;
        last = chunks;
        callback(null, "kept");
      });
    },
  });
  server.on("error", () => {
    // Senders that end cut their lines.
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  console.log((server.server.address() as AddressInfo).port);
  for await (const _ of console) console.log(JSON.stringify({ count, last: Buffer.concat(last).toString("utf8") }));
  // Who started it has ended.
  process.exit();
}
