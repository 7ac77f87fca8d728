import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { answering, claimsOn, type Handler, startProviderPeer, VISIT } from "../support/provider_peer.ts";

const peer = startProviderPeer();
const { base, troubles } = peer;
const { google: GOOGLE } = claimsOn(base);
beforeEach(() => peer.forget());
afterAll(() => peer.stop());

const unavailable = { ok: false, code: "PROVIDER_UNAVAILABLE" } as const;

describe("arcticProvider() with a failing provider", () => {
  const never = () => new Promise<Response>(() => {});
  const drip = () =>
    new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"id')) }));
  const huge = () => new Response(`{"id_token":"${"a".repeat(1024 * 1024)}"}`);
  const bomb = () =>
    new Response(Bun.gzipSync(Buffer.alloc(20 * 1024 * 1024, " ")), { headers: { "Content-Encoding": "gzip" } });
  const TROUBLES: [string, Handler, string][] = [
    [
      "a 500",
      () => Response.json({ error: "invalid_grant" }, { status: 500 }),
      "the token endpoint answered with the status 500",
    ],
    [
      "a 500 in HTML",
      () => new Response("<h1>Oops</h1>", { status: 500 }),
      "the answer is not JSON, and its status is 500",
    ],
    ["a redirect", () => Response.redirect(`${base}/elsewhere`, 307), "the answer is not JSON, and its status is 307"],
    ["no JSON", () => new Response("access_token=1"), "the answer is not JSON, and its status is 200"],
    ["a text", () => Response.json("access_token"), "the token endpoint answered with the status 200"],
    ["a huge body", huge, "the answer is too large"],
    ["a body that unpacks to a huge one", bomb, "the answer is too large"],
    [
      "our keys refused",
      () => Response.json({ error: "invalid_client" }, { status: 401 }),
      "the token endpoint refused us: invalid_client",
    ],
    [
      "an error with a secret in it",
      () => Response.json({ error: "our-secret the-code" }, { status: 400 }),
      "the token endpoint refused us: 400",
    ],
  ];
  test.each(TROUBLES)(
    "is unavailable after %s, and reports the reason without a secret",
    async (_, handler, reason) => {
      peer.on("/token", handler);
      peer.on("/elsewhere", answering(GOOGLE));
      expect(await peer.provider("google").identify(VISIT)).toEqual(unavailable);
      expect(troubles).toEqual([reason]);
      expect(peer.paths()).toEqual(["/token"]);
    },
  );

  test.each([
    ["never answers", never],
    ["stops midway", drip],
  ] as [string, Handler][])("gives up on one that %s", async (_, handler) => {
    peer.on("/token", handler);
    expect(await peer.provider("google", { timeoutMs: 100 }).identify(VISIT)).toEqual(unavailable);
    expect(troubles).toEqual(["it took too long"]);
  });

  test("has one deadline for all requests of an identification", async () => {
    peer.on("/token", () => Response.json({ access_token: "gho_1" }));
    peer.on("/api/user", () => Response.json({ id: 1 }));
    peer.on("/api/user/emails", never);
    expect(await peer.provider("github", { timeoutMs: 100 }).identify(VISIT)).toEqual(unavailable);
    expect(troubles).toEqual(["it took too long"]);
  });

  test("is unavailable when the connection is refused", async () => {
    const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const { port } = gone;
    await gone.stop(true);
    const tokenUrl = `http://127.0.0.1:${port}/token`;
    expect(await peer.provider("google", { tokenUrl }).identify(VISIT)).toEqual(unavailable);
    expect(troubles).toEqual(["ECONNREFUSED"]);
  });
});
