import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { type Handler, startGitHubPeer, VISIT } from "../support/provider_peer.ts";

const peer = startGitHubPeer();
const { base, seen, troubles } = peer;
beforeEach(() => peer.forget());
afterAll(() => peer.stop());

const refused = { ok: false, code: "PROVIDER_REFUSED" } as const;
const unavailable = { ok: false, code: "PROVIDER_UNAVAILABLE" } as const;
const identify = (options?: Parameters<typeof peer.provider>[0]) => peer.provider(options).identify(VISIT);

describe("githubProvider() with GitHub's API", () => {
  const EMAILS = [
    { email: "old@example.com", primary: false, verified: true },
    { email: "alice@example.com", primary: true, verified: true },
  ];
  beforeEach(() => {
    peer.on("/token", () => Response.json({ access_token: "gho_1", token_type: "bearer", scope: "user:email" }));
    peer.on("/api/user", () => Response.json({ id: 583231, login: "alice", name: null, email: "shown@example.com" }));
    peer.on("/api/user/emails", () => Response.json(EMAILS));
  });

  test("identifies the user by number, and takes the primary email if it is verified", async () => {
    const value = { subject: "583231", email: "alice@example.com", emailVerified: true };
    expect(await identify()).toEqual({ ok: true, value });
    const asked = seen.slice(1);
    expect(asked.map(({ path }) => path).toSorted()).toEqual(["/api/user", "/api/user/emails"]);
    for (const { headers } of asked) expect(headers.get("Authorization")).toBe("Bearer gho_1");
    peer.on("/api/user/emails", () => Response.json([EMAILS[0], { ...EMAILS[1], verified: false }]));
    expect(await identify()).toMatchObject({ value: { ...value, emailVerified: false } });
    peer.on("/api/user/emails", () => Response.json([EMAILS[0]]));
    expect(await identify()).toMatchObject({ value: { email: "", emailVerified: false } });
  });

  test("sends the code, the verifier and our keys in the body, and nothing of them in the URL", async () => {
    await identify();
    expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).toEqual({
      grant_type: "authorization_code",
      code: "the-code",
      code_verifier: "the-verifier",
      redirect_uri: "https://breachbell.example/sign-in/github",
      client_id: "our-id",
      client_secret: "our-secret",
    });
    expect(seen[0]?.path).toBe("/token");
  });

  test.each(["bad_verification_code", "access_denied"])("handles a 200 that says %s", async (error) => {
    peer.on("/token", () => Response.json({ error, error_description: "The code passed is incorrect or expired." }));
    expect(await identify()).toEqual(refused);
    expect(peer.paths()).toEqual(["/token"]);
    expect(troubles).toEqual([]);
  });

  test("reports a 200 that refuses our keys", async () => {
    peer.on("/token", () => Response.json({ error: "incorrect_client_credentials" }));
    expect(await identify()).toEqual(unavailable);
    expect(troubles).toEqual(["the token endpoint refused us: incorrect_client_credentials"]);
  });

  test("rejects a 200 without a token", async () => {
    peer.on("/token", () => Response.json({ scope: "" }));
    expect(await identify()).toEqual(refused);
  });

  const BROKEN: [string, string, Handler][] = [
    ["has no id", "/api/user", () => Response.json({ login: "alice" })],
    ["has an id in words", "/api/user", () => Response.json({ id: "583231" })],
    ["fails", "/api/user", () => Response.json({}, { status: 500 })],
    ["is forbidden", "/api/user/emails", () => Response.json({ message: "gho_1" }, { status: 403 })],
    ["is not a list", "/api/user/emails", () => Response.json({ email: "alice@example.com" })],
    ["says verified in words", "/api/user/emails", () => Response.json([{ ...EMAILS[1], verified: "true" }])],
    ["leads elsewhere", "/api/user/emails", () => Response.redirect(`${base}/elsewhere`, 302)],
  ];
  test.each(BROKEN)("is unavailable when the response %s", async (_, path, handler) => {
    peer.on(path, handler);
    peer.on("/elsewhere", () => Response.json(EMAILS));
    expect(await identify()).toEqual(unavailable);
    expect(peer.paths()).not.toContain("/elsewhere");
    expect(troubles.join()).not.toContain("gho_1");
  });
});

describe("githubProvider() when GitHub fails", () => {
  const never = () => new Promise<Response>(() => {});
  const drip = () =>
    new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"id')) }));
  const bomb = () =>
    new Response(Bun.gzipSync(Buffer.alloc(20 * 1024 * 1024, " ")), { headers: { "Content-Encoding": "gzip" } });
  const otherForm = (status: number) => `it answered in another form, with the status ${status}`;
  const TROUBLES: [string, Handler, string][] = [
    ["a 500 in HTML", () => new Response("<h1>Oops</h1>", { status: 500 }), otherForm(500)],
    ["a redirect", () => Response.redirect(`${base}/elsewhere`, 307), otherForm(307)],
    ["no JSON", () => new Response("access_token=1"), otherForm(200)],
    ["a body that unpacks to a huge one", bomb, "the answer is too large"],
    [
      "an error with a secret in it",
      () => Response.json({ error: "our-secret the-code" }, { status: 400 }),
      "the token endpoint refused us: 400",
    ],
  ];
  test.each(TROUBLES)("is unavailable after %s, and reports why without a secret", async (_, handler, reason) => {
    peer.on("/token", handler);
    peer.on("/elsewhere", () => Response.json({ access_token: "gho_1", token_type: "bearer" }));
    expect(await identify()).toEqual(unavailable);
    expect(troubles).toEqual([reason]);
    expect(peer.paths()).toEqual(["/token"]);
  });

  test.each([
    ["never answers", never],
    ["stops midway", drip],
  ] as [string, Handler][])("gives up on one that %s", async (_, handler) => {
    peer.on("/token", handler);
    expect(await identify({ timeoutMs: 100 })).toEqual(unavailable);
    expect(troubles).toEqual(["it took too long"]);
  });

  test("has one deadline for all requests of an identification", async () => {
    peer.on("/token", () => Response.json({ access_token: "gho_1", token_type: "bearer" }));
    peer.on("/api/user", () => Response.json({ id: 1 }));
    peer.on("/api/user/emails", never);
    expect(await identify({ timeoutMs: 100 })).toEqual(unavailable);
    expect(troubles).toEqual(["it took too long"]);
  });

  test("is unavailable when the connection is refused", async () => {
    const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const { port } = gone;
    await gone.stop(true);
    expect(await identify({ tokenUrl: `http://127.0.0.1:${port}/token` })).toEqual(unavailable);
    expect(troubles).toEqual(["ECONNREFUSED"]);
  });
});
