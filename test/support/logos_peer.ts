import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { httpLogos, type LogosOptions } from "../../src/breaches/adapters/sources/logos_http.ts";
import type { LogoSource } from "../../src/breaches/ports.ts";
import { freeBudget } from "./hibp_feed.ts";
import { PICTURES, pngOf } from "./pictures.ts";

type Fail = (response: ServerResponse, picture: Buffer) => void;
const always =
  (status: number, headers: Record<string, string>, body: string | Buffer = ""): Fail =>
  (response) =>
    void response.writeHead(status, headers).end(body);
const PNG = { "content-type": "image/png" };
const HTML = { "content-type": "text/html; charset=utf-8" };
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>';

/** Every failure of a logo request, by name. */
export const LOGO_FAILURES = {
  "too large": always(200, PNG, pngOf(8, 8, { noise: 600 * 1024 })),
  "too large by far": (response) => {
    response.writeHead(200, PNG);
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", pour);
    pour();
  },
  "too many pixels": always(200, PNG, pngOf(5000, 1)),
  "SVG as PNG": always(200, PNG, SVG),
  SVG: always(200, { "content-type": "image/svg+xml" }, SVG),
  "HTML as PNG": always(200, PNG, "<!DOCTYPE html><script>alert(1)</script>"),
  HTML: always(200, HTML, "<!DOCTYPE html><title>Just a moment...</title>"),
  JSON: always(200, { "content-type": "application/json" }, "{}"),
  "a script as PNG": always(200, PNG, "alert(1)//\x89PNG"),
  BMP: always(200, { "content-type": "image/bmp" }, Buffer.from("BM\x3a\0\0\0")),
  empty: always(200, PNG),
  truncated: (response, picture) => void response.writeHead(200, PNG).end(picture.subarray(0, -20)),
  "head only": (response, picture) => void response.writeHead(200, PNG).end(picture.subarray(0, 16)),
  "with something behind it": (response, picture) =>
    void response.writeHead(200, PNG).end(Buffer.concat([picture, Buffer.from("<script>alert(1)</script>")])),
  "cut off on the way": (response, picture) => {
    response.writeHead(200, { ...PNG, "content-length": String(picture.length) });
    response.write(picture.subarray(0, 30), () => response.socket?.destroy());
  },
  redirect: always(302, { location: "http://127.0.0.1:9/elsewhere.png" }),
  "404": always(404, HTML, "<html>Not found</html>"),
  "410": always(410, {}),
  "403": always(403, { ...HTML, "cf-ray": "8" }, "<html>Blocked</html>"),
  "429": always(429, { "retry-after": "120" }),
  "500": always(500, HTML, "<html>Sorry</html>"),
  "503": always(503, { ...HTML, "retry-after": "30" }),
  "304 unasked": always(304, {}),
  reset: (response) => void response.socket?.destroy(),
  hang: () => {},
  "hangs half-way": (response, picture) => {
    response.writeHead(200, { ...PNG, "content-length": String(picture.length) });
    response.write(picture.subarray(0, 30));
  },
} satisfies Record<string, Fail>;
export type LogoFailure = keyof typeof LOGO_FAILURES;

/** A fake logo host that can be told to fail. */
export async function startLogosPeer() {
  const pictures = new Map<string, { type: string; bytes: Buffer }>();
  const failures: LogoFailure[] = [];
  const requests: { path: string; headers: Record<string, string | string[] | undefined> }[] = [];

  const server = createServer(({ url = "", headers }, response) => {
    requests.push({ path: url, headers });
    const picture = pictures.get(url);
    const failure = failures.shift();
    if (failure) return LOGO_FAILURES[failure](response, picture?.bytes ?? PICTURES["image/png"]);
    if (picture === undefined) return LOGO_FAILURES["404"](response, PICTURES["image/png"]);
    const etag = `"${createHash("md5").update(picture.bytes).digest("hex")}"`;
    if (headers["if-none-match"] === etag) return void response.writeHead(304, { etag }).end();
    response.writeHead(200, { "content-type": picture.type, etag }).end(picture.bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Cannot tell the port of the peer");

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    put: (file: string, bytes: Buffer, type = "image/png"): void => void pictures.set(`/${file}`, { type, bytes }),
    failNext: (kind: LogoFailure): void => void failures.push(kind),
    async stop(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
export type LogosPeer = Awaited<ReturnType<typeof startLogosPeer>>;

/** The adapter connected to a peer, without a rate limit unless the test sets one. */
export function logosOn(peer: Pick<LogosPeer, "url">, options: Partial<LogosOptions> = {}): LogoSource {
  return httpLogos({
    baseUrl: peer.url,
    budget: freeBudget,
    userAgent: "Breachbell/0.1.0 (+https://breachbell.example)",
    now: () => new Date("2026-11-20T12:00:00Z"),
    ...options,
  });
}
