import { afterEach, expect, test } from "bun:test";
import { otlpTracer } from "../../src/telemetry/otlp_tracer.ts";
import { createTelemetry, followed } from "../../src/telemetry/telemetry.ts";
import type { Tracer } from "../../src/telemetry/tracing.ts";
import { startOtlpPeer } from "../support/otlp_peer.ts";

const CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function traced({ share = 1 } = {}) {
  const peer = startOtlpPeer();
  open.push(peer);
  const headers = { "api-key": "a key" };
  const tracer: Tracer = otlpTracer({ url: `${peer.url}/v1/traces`, headers, serviceName: "bell", share });
  const telemetry = createTelemetry({ tracer });
  return { peer, telemetry, tracer };
}

const asked = { method: "GET", requestId: "r1", parent: undefined };

test("a request is one trace that contains its work, and is exported to the collector with its headers", async () => {
  const { peer, telemetry, tracer } = await traced();
  const sender = followed(telemetry, "channel email", { send: async () => ({ kind: "delivered" }) });
  await telemetry.request(asked, async () => {
    await telemetry.transaction(async () => sender.send());
    return { route: "/api/alerts/:id", status: 200 };
  });
  await tracer.close();
  const [call, transaction, request] = peer.spans;
  expect(peer.spans.map(({ name }) => name)).toEqual(["channel email send", "transaction", "GET /api/alerts/:id"]);
  expect(new Set(peer.spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect([call?.parentSpanId, transaction?.parentSpanId]).toEqual([transaction?.spanId, request?.spanId]);
  expect(request?.parentSpanId).toBeUndefined();
  expect(request?.facts).toEqual({
    "http.request.method": "GET",
    "http.route": "/api/alerts/:id",
    "http.response.status_code": 200,
    "breachbell.request_id": "r1",
  });
  expect(call?.facts).toEqual({ "breachbell.outcome": "delivered" });
  expect(peer.services).toEqual(["bell"]);
  expect(peer.requests.map(({ path, headers }) => [path, headers.get("api-key")])).toEqual([["/v1/traces", "a key"]]);
});

test("a failure is marked by its error code, never by its message", async () => {
  const { peer, telemetry, tracer } = await traced();
  const failure = Object.assign(new Error("alice@breachbell.example is unknown"), { code: "ECONNREFUSED" });
  await telemetry.job("scan", () => Promise.reject(failure)).catch(() => {});
  const broken = followed(telemetry, "source hibp", {
    latest() {
      throw new TypeError("alice");
    },
  });
  expect(() => broken.latest()).toThrow("alice");
  await telemetry.request(asked, async () => ({ route: "/api/me", status: 500 }));
  await tracer.close();
  expect(peer.spans.map(({ name, failed, facts }) => [name, failed, facts["error.type"]])).toEqual([
    ["job scan", true, "ECONNREFUSED"],
    ["source hibp latest", true, "TypeError"],
    ["GET /api/me", true, undefined],
  ]);
  expect(peer.requests.map(({ text }) => text).join("")).not.toContain("alice");
});

test("a caller's trace is continued; an invalid one is replaced by a new one", async () => {
  const { peer, telemetry, tracer } = await traced();
  const bad = ["", "nonsense", CALLER.replace("0af7", "zzzz"), `00-${"0".repeat(32)}-b7ad6b7169203331-01`];
  for (const parent of [CALLER, ...bad])
    await telemetry.request({ ...asked, parent }, async () => ({ route: "/", status: 200 }));
  await tracer.close();
  const [first, ...others] = peer.spans;
  expect([first?.traceId, first?.parentSpanId]).toEqual(["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]);
  for (const span of others) expect([span.traceId === first?.traceId, span.parentSpanId]).toEqual([false, undefined]);
});

test("only the configured share is exported", async () => {
  const { peer, telemetry, tracer } = await traced({ share: 0 });
  await telemetry.job("scan", async () => 1);
  await tracer.close();
  expect(peer.spans).toEqual([]);
});

test("without configuration none of the packages is loaded", async () => {
  const script = `
    await import("${import.meta.dirname}/../../src/serve.ts");
    await import("${import.meta.dirname}/../../src/telemetry/telemetry.ts");
    console.log(Object.keys(require.cache).filter((path) => path.includes("@opentelemetry/sdk-trace")).length);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  expect((await new Response(child.stdout).text()).trim()).toBe("0");
});
