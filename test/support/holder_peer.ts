import { once } from "node:events";
import { createServer } from "node:https";
import { domainProofs } from "../../src/domains/adapters/proof/domain_proofs.ts";
import type { DomainProofs } from "../../src/domains/proof_ports.ts";
import { startDnsPeer } from "./dns_peer.ts";
import { HOLDER_CERTIFICATE, HOLDER_KEY } from "./loopback_certificate.ts";

export const DOMAIN = "holder.example";
export const RECORD = `_breachbell.${DOMAIN}`;
export const FILE = "/.well-known/breachbell.txt";

export type Page = {
  status?: number;
  body?: string;
  headers?: Record<string, string>;
  /** How the response ends before its body. */
  end?: "cut off" | "never";
};
type More = Partial<Pick<Parameters<typeof domainProofs>[0], "allowPrivate" | "timeoutMs" | "dnsTimeoutMs" | "ca">>;

/** The name server and the web server, by https, of the holder of "holder.example", on loopback. */
export async function startHolderPeer() {
  const dns = await startDnsPeer();
  const asked: string[] = [];
  let site: (path: string, host: string) => Page = () => ({ status: 404 });
  const web = createServer({ key: HOLDER_KEY, cert: HOLDER_CERTIFICATE }, (request, response) => {
    const [path = "", host = ""] = [request.url, request.headers.host?.split(":")[0]];
    asked.push(`${host}${path}`);
    const { status = 200, body = "", headers = {}, end } = site(path, host);
    const type = path === FILE ? "text/plain" : "text/html; charset=utf-8";
    response.writeHead(status, { "content-type": type, ...headers });
    if (end === undefined) response.end(body);
    else response.write(body || " ", () => end === "cut off" && response.socket?.destroy());
  }).listen(0, "127.0.0.1");
  await once(web, "listening");
  const address = web.address();
  if (address === null || typeof address === "string") throw new Error("Cannot tell the port of the web peer");
  const { port } = address;

  return {
    dns,
    port,
    /** Every request to the web server, as host and path. */
    asked,
    /** The same page at every path, or one by path and host. */
    serve(page: Page | typeof site): void {
      site = typeof page === "function" ? page : () => page;
    },
    /** The adapter connected to both. Time limits are long enough for a machine that stalls for a moment. */
    proofs: (more: More = {}): DomainProofs =>
      domainProofs({
        userAgent: "Breachbell/test",
        servers: [dns.server],
        originOf: (domain) => `https://${domain}:${port}`,
        allowPrivate: true,
        resolve: async () => ["127.0.0.1"],
        ca: HOLDER_CERTIFICATE,
        timeoutMs: 15_000,
        dnsTimeoutMs: 15_000,
        resolveMs: 20,
        ...more,
      }),
    async stop(): Promise<void> {
      web.close();
      web.closeAllConnections();
      await dns.stop();
    },
  };
}
