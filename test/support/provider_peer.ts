import { githubProvider } from "../../src/identity/adapters/providers/github_provider.ts";

export const VISIT = { code: "the-code", verifier: "the-verifier", nonce: "the-nonce" };
export type Handler = (request: Request) => Response | Promise<Response>;

/** A GitHub on loopback with scripted responses that records its requests. */
export function startGitHubPeer() {
  const routes = new Map<string, Handler>();
  const seen: { path: string; headers: Headers; body: string }[] = [];
  const troubles: string[] = [];
  const peer = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 30,
    async fetch(request) {
      const { pathname: path } = new URL(request.url);
      seen.push({ path, headers: request.headers, body: await request.text() });
      return routes.get(path)?.(request) ?? new Response("nothing here", { status: 404 });
    },
  });
  const base = `http://127.0.0.1:${peer.port}`;
  return {
    base,
    seen,
    /** The messages logged for the operator. */
    troubles,
    paths: () => seen.map(({ path }) => path),
    on: (path: string, handler: Handler) => void routes.set(path, handler),
    forget() {
      routes.clear();
      seen.length = 0;
      troubles.length = 0;
    },
    stop: () => peer.stop(true),
    provider: ({ timeoutMs = 5000, tokenUrl = `${base}/token` } = {}) =>
      githubProvider({
        clientId: "our-id",
        clientSecret: "our-secret",
        timeoutMs,
        tokenUrl,
        authorizeUrl: `${base}/authorize`,
        apiUrl: `${base}/api`,
        redirectUri: "https://breachbell.example/sign-in/github",
        onTrouble: (reason) => void troubles.push(reason),
      }),
  };
}
