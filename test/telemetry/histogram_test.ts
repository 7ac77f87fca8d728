import { expect, test } from "bun:test";
import { Histogram, Registry } from "prom-client";
import { keyedHistogram } from "../../src/telemetry/histogram.ts";

test("keyedHistogram() exports the same as prom-client for the same observations", async () => {
  const about = { name: "seconds", help: "How long", buckets: [0.01, 0.1, 1] };
  const [ours, theirs] = [new Registry(), new Registry()];
  const observe = keyedHistogram(ours, about);
  const histogram = new Histogram({ ...about, labelNames: ["route", "status"], registers: [theirs] });
  for (const [route, status, value] of [
    ["/a", 200, 0],
    ["/a", 200, 0.01],
    ["/b", 200, 0.5],
    ["/a", 404, 0.1],
    ["/a", 200, 7],
    ["/b", 200, 1],
  ] as const) {
    observe(`${status} ${route}`, () => ({ route, status }), value);
    histogram.observe({ route, status }, value);
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});
