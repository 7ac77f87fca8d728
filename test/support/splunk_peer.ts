export const SPLUNK_TOKEN = "0198c0de-0000-4000-8000-00000000feed";

/** An answer in place of the collector's own. */
export type SplunkFailure = { status: number; body: string } | "hang" | "redirect";

/** Splunk's HTTP Event Collector, as far as its documentation describes it. */
export function splunkPeer() {
  const events: Record<string, unknown>[] = [];
  const channels = new Set<string>();
  const failures: SplunkFailure[] = [];
  const answer = (status: number, code: number, text: string) => Response.json({ text, code }, { status });

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const failure = failures.shift();
      if (failure === "hang") return new Promise<Response>(() => {});
      if (failure === "redirect") return Response.redirect(request.url, 307);
      if (failure) return new Response(failure.body, { status: failure.status });
      if (request.method !== "POST" || new URL(request.url).pathname !== "/services/collector/event")
        return answer(404, 404, "The requested URL was not found on this server.");
      const authorization = request.headers.get("authorization");
      if (authorization === null) return answer(401, 2, "Token is required");
      if (authorization !== `Splunk ${SPLUNK_TOKEN}`) return answer(403, 4, "Invalid token");
      const channel = request.headers.get("x-splunk-request-channel");
      if (!/^[0-9a-f-]{36}$/.test(channel ?? "")) return answer(400, 10, "Data channel is missing");
      const text = await request.text();
      if (text === "") return answer(400, 5, "No data");
      channels.add(channel ?? "");
      for (const line of text.split("\n")) events.push(JSON.parse(line));
      return answer(200, 0, "Success");
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    events,
    channels,
    /** The next requests fail in these ways. */
    fail: (...next: SplunkFailure[]) => void failures.push(...next),
    stop: () => server.stop(true),
  };
}
