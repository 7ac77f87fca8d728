import { join } from "node:path";
import { eventually, removeDirectory, startProduct, temporaryDirectory } from "../e2e/product.ts";
import { freePort } from "../support/ports.ts";
import { report, type Sample } from "./load.ts";

const CONNECTIONS = 32;
const ROUNDS = 5;
const PATH = "/en/login";
const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * One connection: sends a request, reads the whole response, and repeats. `fetch` would take longer than the server.
 */
function connection(port: number, more: () => boolean, took: (ms: number) => void): Promise<void> {
  const request = `GET ${PATH} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept-Encoding: gzip, br\r\n\r\n`;
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0);
    let from = 0;
    const ask = (socket: { write(text: string): number; end(): void }) => {
      if (!more()) {
        socket.end();
        return resolve();
      }
      from = performance.now();
      socket.write(request);
    };
    void Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        open: ask,
        data(socket, chunk) {
          read = read.length === 0 ? Buffer.from(chunk) : Buffer.concat([read, chunk]);
          const end = read.indexOf(HEAD_END);
          if (end < 0) return;
          const head = read.toString("latin1", 0, end);
          if (!head.startsWith("HTTP/1.1 200")) return reject(new Error(head));
          const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
          if (read.length < end + HEAD_END.length + length) return;
          read = Buffer.alloc(0);
          took(performance.now() - from);
          ask(socket);
        },
        error: (_, error) => reject(error),
      },
    }).catch(reject);
  });
}

async function flood(port: number, requests: number): Promise<Sample> {
  const times: number[] = [];
  let left = requests;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      connection(
        port,
        () => left-- > 0,
        (ms) => times.push(ms),
      ),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  return { rate: times.length / seconds, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

/** The login's document with its headers, its own nonce and its log line, against the same page from bare Hono. */
export async function loginPage(requests: number): Promise<void> {
  const product = await startProduct({ BILLING: "off" });
  const folder = temporaryDirectory();
  const answer = await fetch(product.url + PATH, { headers: { "Accept-Encoding": "gzip" }, decompress: false });
  await Bun.write(join(folder, "page.gz"), await answer.bytes());
  const rawPort = await freePort();
  const raw = Bun.spawn(
    [process.execPath, join(import.meta.dirname, "raw_page.ts"), String(rawPort), join(folder, "page.gz")],
    { stdout: "pipe" },
  );
  await eventually("the raw server answers", async () =>
    (await fetch(`http://127.0.0.1:${rawPort}/`).catch(() => undefined)) ? true : undefined,
  );
  const port = Number(new URL(product.url).port);
  await flood(port, requests);
  await flood(rawPort, requests);
  const samples: { product: Sample; raw: Sample }[] = [];
  for (let i = 0; i < ROUNDS; i++)
    samples.push({ product: await flood(port, requests), raw: await flood(rawPort, requests) });
  raw.kill();
  await product.stop();
  for (const each of [folder, product.dataDir]) removeDirectory(each);
  report(
    {
      line: "login-page",
      bounds: { rate: 5000 },
      connections: CONNECTIONS,
      bytes: Number(answer.headers.get("Content-Length")),
    },
    samples,
  );
}
