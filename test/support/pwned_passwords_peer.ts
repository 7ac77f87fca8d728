import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Fail = (response: ServerResponse, lines: string[]) => void;
const TEXT = { "content-type": "text/plain" };
const always =
  (status: number, headers: Record<string, string>, body = ""): Fail =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Every failure of the service, by name. */
export const PWNED_PASSWORDS_FAILURES = {
  "400": always(400, TEXT, "The hash prefix was not in a valid format"),
  "403": always(403, TEXT),
  "429": always(429, { "retry-after": "2" }),
  "503": always(503, TEXT),
  "a redirect": always(302, { location: "http://127.0.0.1:9/range/00000" }),
  "a web page": always(200, { "content-type": "text/html" }, "<!DOCTYPE html><title>Just a moment...</title>"),
  empty: always(200, TEXT),
  "too large": (response, lines) => void response.writeHead(200, TEXT).end(`${lines.join("\r\n")}\r\n`.repeat(400)),
  "cut off on the way": (response, lines) => {
    response.writeHead(200, { ...TEXT, "content-length": "100000" });
    response.write(lines.join("\r\n"), () => response.socket?.destroy());
  },
  reset: (response) => void response.socket?.destroy(),
  hang: () => {},
} satisfies Record<string, Fail>;

export function sha1(password: string): string {
  return createHash("sha1").update(password).digest("hex").toUpperCase();
}

/** A fake of Pwned Passwords' range API on loopback. `asked` has the path and the user agent of each request. */
export async function startPwnedPasswordsPeer(breached: Record<string, number>) {
  const asked: { path: string; padding: string | undefined; userAgent: string | undefined }[] = [];
  let failing: Fail | undefined;
  let lineEnd = "\r\n";
  const hashes = Object.entries(breached).map(([password, count]) => ({ hash: sha1(password), count }));

  /** Padded to 800 lines with hashes that do not exist, as the service does it. */
  function linesFor(prefix: string): string[] {
    const real = hashes
      .filter(({ hash }) => hash.startsWith(prefix))
      .map(({ hash, count }) => `${hash.slice(5)}:${count}`);
    const padding = Array.from({ length: 800 - real.length }, (_, number) => `${sha1(`padding ${number}`).slice(5)}:0`);
    return [...real, ...padding].toSorted();
  }

  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push({ path, padding: String(request.headers["add-padding"]), userAgent: request.headers["user-agent"] });
    const prefix = /^\/range\/([0-9a-f]{5})$/i.exec(path)?.[1]?.toUpperCase();
    const fail = prefix === undefined ? PWNED_PASSWORDS_FAILURES["400"] : failing;
    const lines = linesFor(prefix ?? "");
    if (fail) fail(response, lines);
    else response.writeHead(200, TEXT).end(lines.join(lineEnd));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    failWith(name: keyof typeof PWNED_PASSWORDS_FAILURES | undefined) {
      failing = name && PWNED_PASSWORDS_FAILURES[name];
    },
    endLinesWith(end: "\r\n" | "\n") {
      lineEnd = end;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
