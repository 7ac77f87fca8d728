import { connect, type Socket } from "node:net";
import { figureOf } from "../e2e/product.ts";
import { atMost, type Finding } from "../faults/bench.ts";
import type { Size } from "./goal.ts";
import { count, type Target } from "./target.ts";

const HEAD =
  "POST /api/login HTTP/1.1\r\nHost: breachbell.example\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n";

/** S36: connections that send nothing, or a byte now and then, concurrently with normal requests. */
export async function slowConnections(target: Target, { long }: Size): Promise<Finding[]> {
  const [idle, slow, seconds] = long ? [1000, 200, 120] : [60, 20, 2];
  const { url = "" } = target.products[0] ?? {};
  const port = Number(new URL(url).port);
  const memory = () => figureOf(url, "process_resident_memory_bytes");
  const before = await memory();
  const open = (text: string): Socket => {
    const socket = connect(port, "127.0.0.1", () => text !== "" && socket.write(text));
    socket.on("error", () => undefined);
    return socket;
  };
  const silent = Array.from({ length: idle }, () => open(""));
  const slowly = Array.from({ length: slow }, (_, at) =>
    open(at % 2 === 0 ? "POST /api/login HTTP/1.1\r\nHost: x\r\nX-A" : `${HEAD}\r\n{`),
  );
  const statuses: number[] = [];
  const times: number[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const from = performance.now();
    statuses.push((await target.browser().call("GET", "/api/check-user-authentication/")).status);
    times.push(performance.now() - from);
    for (const socket of slowly) if (!socket.destroyed) socket.write("a");
    await Bun.sleep(50);
  }
  const after = await memory();
  for (const socket of [...silent, ...slowly]) socket.destroy();
  const sorted = times.toSorted((one, other) => one - other);
  const p99 = (sorted[Math.floor(sorted.length * 0.99)] ?? 0) / 1000;
  const grown =
    before === undefined || after === undefined
      ? []
      : [atMost("S36", "MB of memory more than before", (after - before) / 1e6, 150)];
  return [
    atMost(
      "S36",
      `people not answered beside ${idle} silent and ${slow} slow connections, of ${statuses.length}`,
      count(statuses, (status) => status !== 200),
      0,
    ),
    atMost("S36", "seconds that 99 of 100 of them wait at most", p99, 0.5),
    ...grown,
  ];
}
