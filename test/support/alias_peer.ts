import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from "./loopback_certificate.ts";

const PAGE = 20;
export const ALIAS_KEY = "a-key-of-the-tests";

type Asked = { path: string; headers: Headers };

/** SimpleLogin and addy.io on "hooks.example", over https: they serve `aliases`, or whatever `misbehave` answers. */
export function aliasPeer() {
  const peer = {
    aliases: [] as string[],
    asked: [] as Asked[],
    misbehave: undefined as ((url: URL) => Response | Promise<Response>) | undefined,
    close: () => server.stop(true),
    port: 0,
  };
  const isAllowed = (headers: Headers) =>
    headers.get("authentication") === ALIAS_KEY || headers.get("authorization") === `Bearer ${ALIAS_KEY}`;

  function listOf(url: URL): Response {
    const { pathname, searchParams } = url;
    const isSimpleLogin = pathname.endsWith("/api/v2/aliases");
    if (!isSimpleLogin && !pathname.endsWith("/api/v1/aliases")) return new Response("", { status: 404 });
    const page = isSimpleLogin ? Number(searchParams.get("page_id")) : Number(searchParams.get("page[number]")) - 1;
    const size = isSimpleLogin ? PAGE : Number(searchParams.get("page[size]"));
    const items = peer.aliases.slice(page * size, (page + 1) * size).map((email, id) => ({ id, email, note: null }));
    return Response.json(isSimpleLogin ? { aliases: items } : { data: items, meta: { current_page: page + 1 } });
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE },
    fetch(request) {
      const url = new URL(request.url);
      peer.asked.push({ path: url.pathname, headers: request.headers });
      if (peer.misbehave) return peer.misbehave(url);
      return isAllowed(request.headers) ? listOf(url) : Response.json({ error: "Wrong api key" }, { status: 401 });
    },
  });
  peer.port = server.port ?? 0;
  return peer;
}
