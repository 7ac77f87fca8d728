import { afterEach, describe, expect, test } from "bun:test";
import { guardedRequests } from "../../src/outbound/guarded.ts";
import { sendRequest } from "../../src/outbound/request.ts";
import { LOOPBACK_AUTHORITY, LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from "../support/loopback_certificate.ts";
import { startProxyPeer } from "../support/proxy_peer.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A server for hooks.example that answers with the path it was asked for. */
function startServer(hostname = "127.0.0.1"): number {
  const tls = { key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE };
  const server = Bun.serve({ hostname, port: 0, tls, fetch: ({ url }) => new Response(new URL(url).pathname) });
  cleanUps.push(() => server.stop(true));
  return server.port as number;
}

async function behindProxy(port: number) {
  const peer = await startProxyPeer(port);
  cleanUps.push(peer.stop);
  return { asked: peer.asked, proxy: { https: peer.url, http: peer.url, except: [] } };
}

const REQUEST = { headers: {}, body: "{}", timeoutMs: 5000, ca: LOOPBACK_AUTHORITY };
const GUARD = { allowPrivate: false, timeoutMs: 5000, resolveMs: 20, ca: LOOPBACK_AUTHORITY };

describe("sendRequest() behind a proxy", () => {
  test("reaches an https server by a tunnel, and verifies its certificate", async () => {
    const { asked, proxy } = await behindProxy(startServer());
    const response = await sendRequest(new URL("https://hooks.example/in"), { ...REQUEST, proxy });
    expect(response).toMatchObject({ kind: "answer", status: 200, text: "/in" });
    expect(asked).toEqual(["CONNECT hooks.example:443"]);
    const foreign = await sendRequest(new URL("https://elsewhere.example/in"), { ...REQUEST, proxy });
    expect(foreign).toEqual({ kind: "unsent", reason: "ERR_TLS_CERT_ALTNAME_INVALID" });
  });

  test("leaves plain http to the proxy", async () => {
    const { asked, proxy } = await behindProxy(1);
    const response = await sendRequest(new URL("http://bot-api.lan:8081/getMe"), { ...REQUEST, proxy });
    expect(response).toMatchObject({ kind: "answer", text: "by the proxy" });
    expect(asked).toEqual(["POST http://bot-api.lan:8081/getMe"]);
  });

  test("goes directly to this machine", async () => {
    const port = startServer();
    const { asked, proxy } = await behindProxy(port);
    const response = await sendRequest(new URL(`https://localhost:${port}/in`), { ...REQUEST, proxy });
    expect(response).toMatchObject({ kind: "answer", text: "/in" });
    expect(asked).toEqual([]);
  });
});

describe("guardedRequests() behind a proxy", () => {
  test("leaves names that only the proxy knows to it", async () => {
    const { asked, proxy } = await behindProxy(startServer());
    const { send } = guardedRequests({ ...GUARD, proxy, resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    const response = await send(new URL("https://hooks.example/in"), { headers: {}, body: "{}" });
    expect(response).toMatchObject({ kind: "answer", status: 200, text: "/in" });
    expect(asked).toEqual(["CONNECT hooks.example:443"]);
  });

  test.each(["https://10.0.0.1/in", "https://[::1]/in"])("refuses %s without asking the proxy", async (url) => {
    const { asked, proxy } = await behindProxy(1);
    const response = await guardedRequests({ ...GUARD, proxy }).send(new URL(url), { headers: {}, body: "{}" });
    expect(response).toEqual({ kind: "refused", reason: "the address lies in a private network" });
    expect(asked).toEqual([]);
  });

  test("refuses a name of the private network without asking the proxy", async () => {
    const { asked, proxy } = await behindProxy(1);
    const { send } = guardedRequests({ ...GUARD, proxy, resolve: async () => ["10.0.0.1"] });
    const response = await send(new URL("https://db.internal/in"), { headers: {}, body: "{}" });
    expect(response.kind).toBe("unsent");
    expect(asked).toEqual([]);
  });
});

describe("guardedRequests() to a host with several addresses", () => {
  const toAll = (port: number, addresses: string[]) =>
    guardedRequests({ ...GUARD, allowPrivate: true, resolve: async () => addresses }).send(
      new URL(`https://hooks.example:${port}/in`),
      { headers: {}, body: "{}" },
    );

  test("uses the IPv6 address when nobody listens at the IPv4 address", async () => {
    expect(await toAll(startServer("::1"), ["127.0.0.1", "::1"])).toMatchObject({ kind: "answer", text: "/in" });
  });

  test("uses the other address when one does not answer at all", async () => {
    // 192.0.2.0/24 leads nowhere (RFC 5737).
    expect(await toAll(startServer("::1"), ["192.0.2.1", "::1"])).toMatchObject({ kind: "answer", text: "/in" });
  });

  test("says so when none answers, and sends nothing", async () => {
    const response = await toAll(1, ["127.0.0.1", "::1"]);
    expect(response).toEqual({ kind: "unsent", reason: "none of its addresses answers" });
  });
});
