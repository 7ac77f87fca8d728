import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { DOMAIN, FILE, type Page, startHolderPeer } from "../support/holder_peer.ts";
import { LOOPBACK_AUTHORITY } from "../support/loopback_certificate.ts";

const VALUE = "breachbell-verification=h7Qk3xV0b2";
const META = '<meta name="breachbell-verification" content="h7Qk3xV0b2">';
const TWIN = `www.${DOMAIN}`;
const MISSING = { kind: "missing" as const };
const UNREACHABLE = { kind: "unreachable" as const, reason: expect.any(String) };

const peer = await startHolderPeer();
const { asked, port } = peer;
afterAll(() => peer.stop());
beforeEach(() => {
  asked.length = 0;
});

const look = (more: Parameters<typeof peer.proofs>[0] = {}) => peer.proofs(more).look(DOMAIN, "file", VALUE);
const to = (location: string, status = 302): Page => ({ status, headers: { location } });
/** Redirects the first request, and has the proof everywhere else. */
const redirecting = (location: string) =>
  peer.serve((path, host) => (path === FILE && host === DOMAIN ? to(location) : { body: VALUE }));

describe("A redirect", () => {
  test.each([301, 302, 303, 307, 308])("with the status %d is followed to the www. twin", async (status) => {
    const at = `https://${TWIN}:${port}${FILE}`;
    peer.serve((_, host) => (host === TWIN ? { body: VALUE } : to(at, status)));
    expect(await look()).toEqual({ kind: "found" });
    expect(asked).toEqual([`${DOMAIN}${FILE}`, `${TWIN}${FILE}`]);
  });

  test("from the twin is followed to the domain without www., and another path is followed on the same host", async () => {
    peer.serve((path, host) => {
      if (host === TWIN) return to(`https://${DOMAIN}:${port}/`);
      return path === "/" ? to("/en/?from=here#top") : { body: META };
    });
    expect(await peer.proofs().look(TWIN, "meta", VALUE)).toEqual({ kind: "found" });
    expect(asked).toEqual([`${TWIN}/`, `${DOMAIN}/`, `${DOMAIN}/en/?from=here`]);
  });

  test.each([
    ["to plain http", `http://${DOMAIN}:${port}/`],
    ["to another host", `https://other.example:${port}/`],
    ["to a host below", `https://users.${DOMAIN}:${port}/`],
    ["to the twin of the twin", `https://www.${TWIN}:${port}/`],
    ["to another port", `https://${DOMAIN}:${port + 1}/`],
    ["with a password", `https://a:b@${DOMAIN}:${port}/`],
    ["to a private address", "https://127.0.0.1/"],
    ["to a script", "javascript:alert(1)"],
    ["that is no address", "https://[nowhere"],
  ])("%s is not followed", async (_, location) => {
    redirecting(location);
    expect(await look()).toEqual(MISSING);
    expect(asked).toEqual([`${DOMAIN}${FILE}`]);
  });

  test("without a target, or with a proof in its own body, proves nothing", async () => {
    peer.serve({ status: 302, body: VALUE });
    expect(await look()).toEqual(MISSING);
    peer.serve({ ...to("https://other.example/"), body: VALUE });
    expect(await look()).toEqual(MISSING);
  });

  test("is followed three times, not more", async () => {
    const chain = (length: number) =>
      peer.serve((path) => {
        const step = path === FILE ? 0 : Number(path.slice(1));
        return step < length ? to(`/${step + 1}`) : { body: VALUE };
      });
    chain(3);
    expect(await look()).toEqual({ kind: "found" });
    asked.length = 0;
    chain(4);
    expect(await look()).toEqual(MISSING);
    expect(asked).toHaveLength(4);
  });
});

describe("A web server's answer", () => {
  test.each([404, 410])("with the status %d says that there is no proof, whatever its body", async (status) => {
    peer.serve({ status, body: VALUE });
    expect(await look()).toEqual(MISSING);
  });

  test.each([201, 204, 206, 304, 400, 401, 403, 408, 429, 451, 500, 502, 503])(
    "with the status %d says nothing",
    async (status) => {
      peer.serve({ status, body: status === 204 || status === 304 ? "" : VALUE });
      expect(await look()).toEqual({ kind: "unreachable", reason: `the status ${status}` });
    },
  );

  test("that is cut off proves what it holds, and no absence", async () => {
    peer.serve({ body: `${VALUE}\n`, headers: { "content-length": "99" }, end: "cut off" });
    expect(await look()).toEqual({ kind: "found" });
    peer.serve({ body: "secret", headers: { "content-length": "99" }, end: "cut off" });
    expect(await look()).toEqual({ kind: "unreachable", reason: "the page did not arrive whole" });
    peer.serve({ end: "never" });
    expect(await look({ timeoutMs: 300 })).toEqual(UNREACHABLE);
  });

  test("is not asked for without a valid certificate, nor at a private address", async () => {
    peer.serve({ body: VALUE });
    expect(await look({ ca: LOOPBACK_AUTHORITY })).toEqual(UNREACHABLE);
    expect(await peer.proofs().look("elsewhere.example", "file", VALUE)).toEqual(UNREACHABLE);
    for (const proof of ["file", "meta"] as const)
      expect(await peer.proofs({ allowPrivate: false }).look(DOMAIN, proof, VALUE)).toEqual(UNREACHABLE);
    expect(asked).toEqual([]);
  });

  test("is not asked for where the domain is none", async () => {
    for (const domain of ["a@holder.example", "holder.example/x", "Holder.example", "", "holder.example#"])
      expect([domain, await peer.proofs().look(domain, "dns", VALUE)]).toEqual([domain, UNREACHABLE]);
    expect(peer.dns.asked).toEqual([]);
  });
});
