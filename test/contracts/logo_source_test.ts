import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { httpLogos } from "../../src/breaches/adapters/sources/logos_http.ts";
import type { LogoAnswer, LogoSource } from "../../src/breaches/ports.ts";
import { memoryLogoSource } from "../memory/breaches/logos.ts";
import { freeBudget } from "../support/hibp_feed.ts";
import { LOGO_FAILURES, type LogoFailure, logosOn, startLogosPeer } from "../support/logos_peer.ts";
import { PICTURES } from "../support/pictures.ts";

const PATH = "https://logos.haveibeenpwned.com/Adobe.png";
const PNG = PICTURES["image/png"];
const digestOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

const peer = await startLogosPeer();
afterAll(() => peer.stop());
beforeEach(() => {
  peer.requests.length = 0;
});

const sources: Record<string, () => { source: LogoSource; put: (path: string, bytes: Buffer) => void }> = {
  memory() {
    const answers = new Map<string, LogoAnswer>();
    const put = (path: string, bytes: Buffer) => {
      const digest = digestOf(bytes);
      answers.set(path, { kind: "logo", type: "image/png", bytes: new Uint8Array(bytes), digest, etag: digest });
    };
    return { source: memoryLogoSource(answers), put };
  },
  http: () => ({
    source: logosOn(peer),
    put: (path, bytes) => peer.put(path.split("/").at(-1) ?? "", bytes),
  }),
};

describe.each(Object.entries(sources))("LogoSource on %s", (_, open) => {
  test("ask() returns an image with its type and the digest of its bytes, and a copy for each caller", async () => {
    const { source, put } = open();
    put(PATH, PNG);
    const answer = await source.ask(PATH);
    expect(answer).toMatchObject({ kind: "logo", type: "image/png", digest: digestOf(PNG) });
    if (answer.kind !== "logo") throw new Error(answer.kind);
    expect(Buffer.from(answer.bytes).equals(PNG)).toBe(true);
    answer.bytes.fill(0);
    expect(await source.ask(PATH)).toMatchObject({ digest: digestOf(PNG), bytes: new Uint8Array(PNG) });
  });

  test("ask() reports that the stored image is unchanged", async () => {
    const { source, put } = open();
    put(PATH, PNG);
    const answer = await source.ask(PATH);
    if (answer.kind !== "logo") throw new Error(answer.kind);
    expect(await source.ask(PATH, answer.etag)).toEqual({ kind: "unchanged" });
    expect(await source.ask(PATH, "another")).toMatchObject({ kind: "logo" });
  });

  test("ask() reports that an image is missing", async () => {
    const { source } = open();
    expect(await source.ask("https://logos.haveibeenpwned.com/Nobody.png")).toEqual({ kind: "missing" });
  });
});

describe("httpLogos()", () => {
  const REFUSED: Partial<Record<LogoFailure, string>> = {
    "too large": "it is too large",
    "too large by far": "it is too large",
    truncated: "it is cut off",
    "too many pixels": "it has too many pixels",
    "with something behind it": "it is cut off",
  };
  const MISSING: LogoFailure[] = ["404", "410"];
  const LATER: Partial<Record<LogoFailure, number>> = {
    redirect: 0,
    "403": 0,
    "429": 120_000,
    "500": 0,
    "503": 30_000,
    "304 unasked": 0,
    reset: 0,
    hang: 0,
    "hangs half-way": 0,
    "cut off on the way": 0,
  };

  test.each(Object.keys(LOGO_FAILURES) as LogoFailure[])("stores nothing for this response: %s", async (failure) => {
    peer.put("Adobe.png", PNG);
    peer.failNext(failure);
    // Only endless responses run into the time limit; the others are not limited.
    const isEndless = failure === "hang" || failure === "hangs half-way";
    const answer = await logosOn(peer, isEndless ? { timeoutMs: 400 } : {}).ask(PATH);
    if (MISSING.includes(failure)) expect(answer).toEqual({ kind: "missing" });
    else if (failure in LATER)
      expect(answer).toEqual({ kind: "later", afterMs: LATER[failure] ?? -1, reason: expect.any(String) });
    else {
      const reason =
        REFUSED[failure] ?? (failure === "head only" ? expect.any(String) : "it is no PNG, JPEG, GIF or WebP");
      expect(answer).toEqual({ kind: "refused", reason });
    }
    // Redirects are not followed, and nothing is requested twice.
    expect(peer.requests).toHaveLength(1);
    expect(await logosOn(peer).ask(PATH)).toMatchObject({ kind: "logo" });
  });

  test.each(Object.entries(PICTURES))("uses the bytes of %s, whatever Content-Type is sent", async (type, bytes) => {
    peer.put("Adobe.png", bytes, "text/html");
    expect(await logosOn(peer).ask(PATH)).toMatchObject({ kind: "logo", type });
  });

  test("requests only the file, from the configured host, with the product's user agent and without a cookie", async () => {
    peer.put("7-Eleven.png", PNG);
    const source = logosOn({ url: `${peer.url}/` });
    for (const path of [
      "https://logos.haveibeenpwned.com/7-Eleven.png?x=1#y",
      "/Content/Images/PwnedLogos/7-Eleven.png",
    ])
      expect(await source.ask(path)).toMatchObject({ kind: "logo" });
    expect(peer.requests.map((request) => request.path)).toEqual(["/7-Eleven.png", "/7-Eleven.png"]);
    expect(peer.requests[0]?.headers["user-agent"]).toBe("Breachbell/0.1.0 (+https://breachbell.example)");
    expect(peer.requests[0]?.headers).not.toHaveProperty("cookie");
  });

  test.each([
    "https://logos.xposedornot.com/Adobe.png",
    "https://evil.example/logos.haveibeenpwned.com/Adobe.png",
    "http://169.254.169.254/latest/meta-data/Adobe.png",
    "https://logos.haveibeenpwned.com/",
    "https://logos.haveibeenpwned.com/Adobe.svg",
    "https://logos.haveibeenpwned.com/Adobe%2F..%2Fx.png",
    "https://logos.haveibeenpwned.com/a\r\nb: c.png?",
    `https://logos.haveibeenpwned.com/${"a".repeat(100)}.png`,
    "file:///etc/Adobe.png",
    "data:image/png;base64,Adobe.png",
    "javascript:Adobe.png",
    "https://[",
    "",
  ])("sends no request for %p", async (path) => {
    expect(await logosOn(peer).ask(path)).toEqual({ kind: "missing" });
    expect(peer.requests).toEqual([]);
  });

  test("shares its rate limit with all processes, and pauses them when told to wait", async () => {
    const pauses: Date[] = [];
    const turns = [5000, 0, 0];
    const budget = {
      take: async () => turns.shift() ?? 0,
      pause: async (_: string, until: Date) => void pauses.push(until),
      list: async () => [],
    };
    const source = logosOn(peer, { budget });
    expect(await source.ask(PATH)).toMatchObject({ kind: "later", afterMs: 5000, isRateLimit: true });
    expect(peer.requests).toEqual([]);
    peer.failNext("429");
    await source.ask(PATH);
    peer.failNext("403");
    await source.ask(PATH);
    expect(pauses.map((until) => until.toISOString())).toEqual([
      "2026-11-20T12:02:00.000Z",
      "2026-11-20T13:00:00.000Z",
    ]);
  });

  const OUTSIDE = { budget: freeBudget, userAgent: "x", now: () => new Date(0), timeoutMs: 50 };

  test.each([
    ...["10.0.0.7", "127.0.0.1", "192.168.1.1", "172.16.9.9", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"],
    ...["::1", "::", "fd00::1", "fe80::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1"],
  ])("does not connect to a host whose address is %s", async (ip) => {
    const source = httpLogos({ ...OUTSIDE, baseUrl: "https://logos.test", resolve: async () => ["93.184.216.34", ip] });
    expect(await source.ask("/Adobe.png")).toMatchObject({
      kind: "later",
      reason: "Cannot fetch a logo: its host has a private address",
    });
  });

  test("connects to public addresses, and retries later if there are none", async () => {
    const of = (resolve: () => Promise<string[]>) => httpLogos({ ...OUTSIDE, baseUrl: "https://logos.test", resolve });
    for (const ip of ["93.184.216.34", "2606:4700::6810:84e5"]) {
      const answer = await of(async () => [ip]).ask("/Adobe.png");
      expect(answer.kind === "later" && answer.reason).not.toContain("private");
    }
    const unknown = of(async () => {
      throw Object.assign(new Error("no such host"), { code: "ENOTFOUND" });
    });
    expect(await unknown.ask("/Adobe.png")).toMatchObject({ reason: "Cannot fetch a logo: ENOTFOUND" });
  });

  test("rejects a base URL that exposes its requests", () => {
    expect(() => httpLogos({ ...OUTSIDE, baseUrl: "http://logos.haveibeenpwned.com" })).toThrow("must be https");
  });
});
