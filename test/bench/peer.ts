// The HIBP peer in a separate process, so that its cost is not the product's.
import { join } from "node:path";
import { addressHash } from "../../src/breaches/adapters/sources/hibp/hibp.ts";
import { startHibpPeer } from "../support/hibp_peer.ts";

type Published = "2025-11-14" | "2026-07-20";

/** What no product reaches. */
const UNLIMITED = 100_000_000;

/**
 * With `people` it answers immediately for that many addresses, a fourth of them in breaches, at most `perMinute`; otherwise it
 * has a growing catalogue.
 */
export async function spawnPeer(people = 0, perMinute = UNLIMITED) {
  const child = Bun.spawn([process.execPath, import.meta.path, String(people), String(perMinute)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  // A failed measurement must not leave it running.
  process.on("exit", () => child.kill());
  const lines = child.stdout.getReader();
  const answer = async () => new TextDecoder().decode((await lines.read()).value).trim();
  const { url, apiKey } = JSON.parse(await answer()) as { url: string; apiKey: string };
  return {
    url,
    apiKey,
    async publish(state: Published): Promise<void> {
      child.stdin.write(`${JSON.stringify(state)}\n`);
      child.stdin.flush();
      await answer();
    },
    async stop(): Promise<void> {
      child.kill();
      await child.exited;
    },
  };
}

/** Answers immediately, as the responses are computed in advance. */
function serveAtOnce(apiKey: string, people: number, perMinute: number) {
  const rows = new Map<string, { hashSuffix: string; websites: string[] }[]>();
  for (let number = 0; number < people; number += 4) {
    const hash = addressHash(`person${number}@example.org`);
    const row = { hashSuffix: hash.slice(6), websites: ["Adobe", "LinkedIn"] };
    rows.set(hash.slice(0, 6), [...(rows.get(hash.slice(0, 6)) ?? []), row]);
  }
  // As many other rows as a real prefix has.
  const strangers = Array.from({ length: 300 }, (_, number) => ({
    hashSuffix: addressHash(`stranger${number}`).slice(6),
    websites: ["Dropbox"],
  }));
  const plan = { SubscriptionName: "Pro 1", Rpm: perMinute, IncludesKAnon: true };
  const catalogue = Bun.file(
    join(import.meta.dirname, "../../src/breaches/adapters/sources/bundled/bundled_catalogue.json"),
  );
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/breaches")) return new Response(catalogue);
      if (request.headers.get("hibp-api-key") !== apiKey) return new Response("", { status: 401 });
      if (pathname.endsWith("/subscription/status")) return Response.json(plan);
      return Response.json([...strangers, ...(rows.get(pathname.slice(-6)) ?? [])]);
    },
  });
}

if (import.meta.main) {
  const peer = await startHibpPeer();
  let quick: ReturnType<typeof serveAtOnce> | undefined;
  const people = Number(process.argv[2] ?? 0);
  if (people > 0) quick = serveAtOnce(peer.apiKey, people, Number(process.argv[3] ?? UNLIMITED));
  console.log(JSON.stringify({ url: quick ? quick.url.origin : peer.url, apiKey: peer.apiKey }));
  for await (const line of console) {
    peer.publish(JSON.parse(line) as Published);
    console.log("done");
  }
}
