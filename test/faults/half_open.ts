// R5: a half-open or frozen database: /readyz and requests report it soon, and everything recovers automatically.
//   OUTAGE_SECONDS=60 bun test/faults/half_open.ts
import { startSilentProxy } from "../support/postgres_server.ts";
import { atLeast, atMost, type Finding, openBench, secondsUntil, statusOf, tell } from "./bench.ts";

export async function halfOpen(outageSeconds: number): Promise<Finding[]> {
  const bench = await openBench();
  const proxy = await startSilentProxy(bench.server.port);
  // In the full form the outage is longer than the watchdog's timeout: it must not end the process.
  const product = await bench.start({ DATABASE_URL: proxy.through(bench.database), WATCHDOG_SECONDS: "30" });
  const findings: Finding[] = [];
  const ready = () => statusOf(`${product.url}/readyz`);
  const asked = async () => {
    const from = performance.now();
    const headers = { Origin: product.url, "Content-Type": "application/json" };
    const body = JSON.stringify({ email: "nobody@example.com", password: "Tranquil-Harbour-42" });
    const status = await statusOf(`${product.url}/api/login`, { method: "POST", headers, body });
    return { status, seconds: (performance.now() - from) / 1000 };
  };
  const kinds = [
    { kind: "half-open", begin: proxy.silence, end: proxy.speak },
    { kind: "stopped", begin: bench.server.pause, end: bench.server.resume },
  ];
  for (const { kind, begin, end } of kinds) {
    const healthy = await secondsUntil(async () => (await ready()) === 200, 5000);
    findings.push(atMost("R39", `${kind}: /readyz before it, seconds`, healthy.slowest, 1));
    begin();
    const unready = await secondsUntil(async () => (await ready()) === 503, 20_000);
    findings.push(atMost("R5", `${kind}: /readyz says 503 after seconds`, unready.seconds, 5));
    const alive = await secondsUntil(async () => (await statusOf(`${product.url}/livez`)) === 200, 5000);
    findings.push(atMost("R39", `${kind}: /livez answers within seconds`, alive.slowest, 1));
    const answers = await Promise.all([asked(), asked(), asked(), asked(), asked(), asked()]);
    findings.push(
      atMost("R5", `${kind}: slowest request, seconds`, Math.max(...answers.map(({ seconds }) => seconds)), 5),
    );
    findings.push(
      atMost("R5", `${kind}: requests not answered with 503`, answers.filter(({ status }) => status !== 503).length, 0),
    );
    await Bun.sleep(outageSeconds * 1000);
    end();
    const healed = await secondsUntil(async () => (await ready()) === 200 && (await asked()).status === 401, 60_000);
    findings.push(atMost("R5", `${kind}: healed after seconds`, healed.seconds, 20));
  }
  if (findings.some(({ pass }) => !pass)) console.error(product.output().slice(-2000));
  findings.push(atLeast("R5", "the same process all the time", (await product.stop()) === 0 ? 1 : 0, 1));
  await proxy.close();
  await bench.close();
  return findings;
}

if (import.meta.main) await tell(halfOpen(Number(process.env.OUTAGE_SECONDS ?? 60)));
