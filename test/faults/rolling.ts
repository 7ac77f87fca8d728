// R17: processes behind a proxy are replaced one after the other under load, and no request fails.
//   RESTARTS=10 RATE=200 bun test/faults/rolling.ts
import { atLeast, atMost, type Finding, openBench, signedIn, startRoundRobin, tell } from "./bench.ts";

type Load = { failed: string[]; sent: number; slowestMs: number; stop(): Promise<void> };

/** This many requests a second, each started whether or not earlier ones have been answered. */
function startLoad(rate: number, ask: (turn: number) => Promise<Response>): Load {
  const load = { failed: [] as string[], sent: 0, slowestMs: 0 };
  const open = new Set<Promise<void>>();
  const began = performance.now();
  async function one(turn: number): Promise<void> {
    const from = performance.now();
    try {
      const answer = await ask(turn);
      await answer.arrayBuffer();
      if (!answer.ok) load.failed.push(`${turn}: ${answer.status}`);
    } catch (error) {
      load.failed.push(`${turn}: ${String(error)}`);
    }
    load.slowestMs = Math.max(load.slowestMs, performance.now() - from);
  }
  const timer = setInterval(() => {
    while (load.sent < ((performance.now() - began) / 1000) * rate) {
      const work = one(load.sent++).finally(() => open.delete(work));
      open.add(work);
    }
  }, 10);
  return Object.assign(load, {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
    },
  });
}

export async function rolling(restarts: number, rate: number): Promise<Finding[]> {
  const bench = await openBench();
  const proxy = await startRoundRobin();
  // Links and the origin of requests use the public URL.
  const env = { PUBLIC_URL: proxy.url, TRUST_PROXY: "loopback" };
  const first = await Promise.all([bench.start(env), bench.start(env)]);
  const serving = [...first];
  for (const { url } of serving) proxy.add(url);
  const client = await signedIn(bench, proxy.url, "grace@example.com");
  const paths = ["/api/me", "/api/associations", "/en/login", "/api/check-user-authentication/", "/api/alerts"];
  const headers = { Cookie: client.cookie(), Origin: proxy.url };
  const post = {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ until: "2026-01-01T00:00:00.000Z" }),
  };
  const load = startLoad(rate, (turn) =>
    turn % 10 === 9 ? fetch(`${proxy.url}/api/bell/seen`, post) : fetch(`${proxy.url}${paths[turn % 5]}`, { headers }),
  );
  let slowestStop = 0;
  const codes: number[] = [];
  for (let restart = 0; restart < restarts; restart++) {
    const next = await bench.start(env);
    proxy.add(next.url);
    serving.push(next);
    const leaving = serving.shift();
    if (!leaving) throw new Error("Nobody is there to leave");
    const from = performance.now();
    codes.push(await leaving.stop());
    slowestStop = Math.max(slowestStop, (performance.now() - from) / 1000);
    proxy.remove(leaving.url);
  }
  await load.stop();
  await proxy.close();
  await bench.close();
  for (const line of load.failed.slice(0, 10)) console.error(line);
  return [
    atMost("R17", `failed of ${load.sent} requests in ${restarts} restarts`, load.failed.length, 0),
    atLeast("R17", "requests sent", load.sent, restarts * rate * 0.5),
    atMost("R17", "slowest request, seconds", load.slowestMs / 1000, 30),
    atMost("R17", "slowest stop, seconds", slowestStop, 30),
    atMost("R17", "stops that did not exit with 0", codes.filter((code) => code !== 0).length, 0),
  ];
}

if (import.meta.main) await tell(rolling(Number(process.env.RESTARTS ?? 10), Number(process.env.RATE ?? 200)));
