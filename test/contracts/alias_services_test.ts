import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { ALIAS_SERVICES } from "../../src/shared/aliases.ts";
import { aliasServices } from "../../src/tracking/adapters/services/alias_services.ts";
import { ALIAS_KEY, aliasPeer } from "../support/alias_peer.ts";
import { LOOPBACK_AUTHORITY } from "../support/loopback_certificate.ts";

/** Long enough for a machine that stalls for a moment. */
const TIMEOUT_MS = 15_000;
const peer = aliasPeer();
afterAll(() => peer.close());
beforeEach(() => {
  Object.assign(peer, { aliases: [], asked: [], misbehave: undefined });
});

const named = (path = "") => new URL(`https://hooks.example:${peer.port}${path}`);
const several = (count: number) => Array.from({ length: count }, (_, at) => `shop${at}@alias.example`);

function directory(more: { allowPrivate?: boolean; timeoutMs?: number; deadlineMs?: number; ca?: string } = {}) {
  const ours = `https://localhost:${peer.port}`;
  return aliasServices({
    bases: { simplelogin: ours, addy: ours },
    userAgent: "Breachbell/test",
    allowPrivate: true,
    resolve: async () => ["127.0.0.1"],
    resolveMs: 20,
    timeoutMs: TIMEOUT_MS,
    ca: LOOPBACK_AUTHORITY,
    ...more,
  });
}

const TOO_LONG = `{"aliases":[{"email":"a@b.example","note":"${"x".repeat(600_000)}"}],"data":[]}`;
/** Services by what they do, each with the right conclusion. */
const MISBEHAVIOUR: Record<string, [() => Response | Promise<Response>, string]> = {
  "a wrong key": [() => Response.json({ error: "Wrong api key" }, { status: 401 }), "refused"],
  "a key without rights": [() => new Response("", { status: 403 }), "refused"],
  "a limit": [() => new Response("", { status: 429, headers: { "retry-after": "60" } }), "unavailable"],
  "a failure": [() => new Response("", { status: 500 }), "unavailable"],
  "a redirect": [() => Response.redirect("https://other.example/", 302), "unavailable"],
  "a login page": [() => new Response("<!doctype html><title>Log in</title>"), "unavailable"],
  "half an answer": [() => new Response('{"aliases":[{"email":"a@b.ex'), "unavailable"],
  "an answer that is too long": [() => new Response(TOO_LONG), "unavailable"],
  "no list": [() => Response.json({ aliases: {}, data: "none" }), "unavailable"],
  "entries without an address": [() => Response.json({ aliases: [{ id: 1 }], data: [{ email: 7 }] }), "unavailable"],
  "an address without end": [
    () => Response.json({ aliases: [{ email: "a".repeat(3000) }], data: [{ email: "a".repeat(3000) }] }),
    "unavailable",
  ],
  silence: [() => new Promise<Response>(() => undefined), "unavailable"],
};

describe.each([...ALIAS_SERVICES])("AliasDirectory with %s", (service) => {
  const list = (base?: URL, more = {}) => directory(more).list({ service, key: ALIAS_KEY, base });

  test.each([0, 1, 20, 41, 200])("reads all pages of %p aliases", async (count) => {
    peer.aliases = several(count);
    expect(await list()).toEqual({ kind: "list", addresses: several(count), proven: [] });
  });

  test("reads from a self-hosted service, also below a path", async () => {
    peer.aliases = several(3);
    for (const base of [named(), named("/mail"), named("/mail/")])
      expect(await list(base)).toEqual({ kind: "list", addresses: several(3), proven: [] });
    expect(peer.asked.map(({ path }) => path.startsWith("/mail/api/"))).toEqual([false, true, true]);
  });

  test("proves addresses at the service's own domains alone", async () => {
    const own =
      service === "addy" ? ["A@anonaddy.me", "a@ada.anonaddy.com"] : ["a@Aleeas.com", "a@ada.simplelogin.com"];
    const others = [
      "a@acme.example",
      "a@notanonaddy.com",
      "a@notaleeas.com",
      "a@aleeas.com.acme.example",
      "no address",
    ];
    const foreign = service === "addy" ? "a@aleeas.com" : "a@anonaddy.com";
    peer.aliases = [...own, ...others, foreign];
    expect(await list()).toEqual({ kind: "list", addresses: peer.aliases, proven: own });
  });

  test("does not read more than an address may have", async () => {
    peer.aliases = several(1000);
    expect(await list()).toEqual({ kind: "tooMany" });
    expect(peer.asked).toHaveLength(11);
  });

  test("reads pages of up to 512 KB", async () => {
    const page = [{ email: "a@alias.example", note: "x".repeat(500_000) }];
    peer.misbehave = () => Response.json(service === "addy" ? { data: page } : { aliases: page });
    for (const base of [undefined, named()])
      expect(await list(base)).toEqual({ kind: "list", addresses: ["a@alias.example"], proven: [] });
  });

  test("has a time limit for all pages together", async () => {
    peer.misbehave = () => new Promise<Response>(() => undefined);
    const limits = { timeoutMs: 3_600_000, deadlineMs: 300 };
    for (const base of [undefined, named()]) expect((await list(base, limits)).kind).toBe("unavailable");
  });

  test("does not read pages without end", async () => {
    const page = several(20).map((email) => ({ email }));
    peer.misbehave = () => Response.json({ aliases: page, data: page });
    expect(await list()).toEqual({ kind: "tooMany" });
    expect(peer.asked).toHaveLength(11);
  });

  test.each(Object.entries(MISBEHAVIOUR))("has no list from a service with %s", async (name, [serve, kind]) => {
    peer.misbehave = serve;
    const timeoutMs = name === "silence" ? 300 : TIMEOUT_MS;
    for (const base of [undefined, named()]) expect((await list(base, { timeoutMs })).kind).toBe(kind as "refused");
  });

  test("never sends the key to a private address, by plain http, or without a valid certificate", async () => {
    const bases = ["https://127.0.0.1", "https://192.168.1.1", "https://[::1]", "https://hooks.example"];
    for (const base of bases)
      expect(await list(new URL(`${base}:${peer.port}`), { allowPrivate: false })).toMatchObject({
        kind: "unavailable",
      });
    expect(await list(new URL(`http://hooks.example:${peer.port}`))).toMatchObject({ kind: "unavailable" });
    expect(await list(named(), { ca: undefined })).toMatchObject({ kind: "unavailable" });
    expect(peer.asked).toEqual([]);
  });

  test("says nothing of the key when it fails", async () => {
    peer.misbehave = () => Response.json({ error: `Wrong ${ALIAS_KEY}` }, { status: 500 });
    expect(JSON.stringify(await list())).not.toContain(ALIAS_KEY);
  });
});
