import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../src/runtime/log.ts";
import { currentFacts } from "../../src/telemetry/context.ts";
import { unwatched } from "../../src/telemetry/health.ts";
import { createMeter } from "../../src/telemetry/metrics.ts";
import { createTelemetry } from "../../src/telemetry/telemetry.ts";
import { adaptersOn, composed, memoryGround, worldOn } from "../support/world.ts";

const NONCE = '<meta name="style-nonce" content="__STYLE_NONCE__">';
const root = mkdtempSync(join(tmpdir(), "breachbell-front-"));
afterAll(() => rmSync(root, { recursive: true }));
beforeAll(() => {
  mkdirSync(join(root, "prerender"), { recursive: true });
  writeFileSync(join(root, "index.html"), `<html lang="en">${NONCE}`);
  writeFileSync(join(root, "robots.txt"), "User-agent: *");
  const prerendered = { documents: { "/de/login": `<h1>Anmelden</h1>${NONCE}` }, paths: ["login", "dashboard"] };
  const program = `console.log(${JSON.stringify(JSON.stringify(prerendered))})`;
  writeFileSync(join(root, "prerender/prerender_entry.js"), program);
});

type Line = { level: string; message: string; requestId: string; method: string; route: string; status: number };

/** The product with its pages, its log, and its metrics. */
function served({ isStopping = () => false }: { isStopping?: () => boolean } = {}) {
  const lines: string[] = [];
  const ground = memoryGround();
  const meter = createMeter();
  const health = {
    ...unwatched,
    isStopping,
    telemetry: createTelemetry({ meter }),
    log: createLog("debug", (line) => lines.push(line), currentFacts),
  };
  const world = composed({ ...adaptersOn(ground), health, webDirectory: root });
  const last = () => JSON.parse(lines.at(-1) ?? "{}") as Line;
  return {
    ground,
    world,
    meter,
    lines,
    last,
    ask: (path: string, init?: RequestInit) => world.app.request(path, init),
  };
}

const named = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => !/policy$|^x-request-id$/.test(name)));
const nonceIn = ({ headers }: Response) =>
  /nonce-(\w+)/.exec(headers.get("Content-Security-Policy") ?? "")?.[1] ?? "none";

describe("a page", () => {
  test.each([
    ["/de/login", { "Accept-Encoding": "gzip, br" }],
    ["/de/login", { "Accept-Encoding": "gzip" }],
    ["/de/login", {}],
    ["/fr/dashboard?from=mail", { Cookie: "__Host-session=x" }],
  ])("%s %o has every header, an id, a nonce and a log line", async (path, headers) => {
    const { ask, last, lines } = served();
    const first = await ask(path, { headers });
    const line = last();
    const second = await ask(path, { headers });
    expect(lines.filter((each) => each.includes('"Request"'))).toHaveLength(2);
    expect(named(second)).toEqual(named(first));
    expect([first.status, second.status]).toEqual([200, 200]);
    for (const name of ["Content-Security-Policy", "Permissions-Policy", "Referrer-Policy"])
      expect(second.headers.get(name)?.replace(nonceIn(second), "")).toBe(
        first.headers.get(name)?.replace(nonceIn(first), ""),
      );
    const { requestId, ...told } = last();
    expect(requestId).toBe(second.headers.get("X-Request-Id") ?? "");
    expect(requestId).not.toBe(line.requestId);
    expect(told).toMatchObject({ level: "info", message: "Request", method: "GET", route: "(page)", status: 200 });
    expect({ ...told, time: "", ms: 0 }).toEqual({ ...line, requestId: undefined, time: "", ms: 0 } as never);
  });

  test.each(["gzip", "br"] as const)("has its own nonce even if responses are concurrent (%s)", async (encoding) => {
    const { ask } = served();
    await ask("/de/login");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask("/de/login", { headers: { "Accept-Encoding": encoding } })),
    );
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    const ids = answers.map(({ headers }) => headers.get("X-Request-Id"));
    expect(new Set(answers.map(nonceIn)).size).toBe(20);
    expect(new Set(ids).size).toBe(20);
    for (const [place, answer] of answers.entries()) expect(bodies[place]).toContain(nonceIn(answer));
  });

  test("is counted", async () => {
    const { ask, meter } = served();
    for (let visit = 0; visit < 3; visit++) await ask("/de/login");
    expect(await meter.text()).toContain(
      'breachbell_http_request_duration_seconds_count{method="GET",route="(page)",status="200"} 3',
    );
    expect(await meter.text()).toContain("breachbell_http_requests_in_flight 0");
  });

  test("is replaced by the maintenance page within a second", async () => {
    const { ask, ground } = served();
    for (let visit = 0; visit < 2; visit++) expect((await ask("/de/login")).status).toBe(200);
    await worldOn(ground).operations.startMaintenance({ until: undefined, message: undefined });
    ground.clock.pass(1000);
    for (let visit = 0; visit < 2; visit++) expect((await ask("/de/login")).status).toBe(503);
  });

  test("closes its connection if the process is shutting down", async () => {
    let isStopping = false;
    const { ask } = served({ isStopping: () => isStopping });
    await ask("/de/login");
    expect((await ask("/de/login")).headers.get("Connection")).toBeNull();
    isStopping = true;
    expect((await ask("/de/login")).headers.get("Connection")).toBe("close");
    isStopping = false;
    expect((await ask("/de/login")).headers.get("Connection")).toBeNull();
  });

  test("is logged at debug level when it was requested automatically", async () => {
    const { ask, last } = served();
    for (let visit = 0; visit < 2; visit++) {
      await ask("/de/login", { headers: { "X-Unattended": "1" } });
      expect(last().level).toBe("debug");
    }
  });
});

test("is not the answer to other paths and methods", async () => {
  const { ask } = served();
  await ask("/de/login");
  for (const [path, method, status] of [
    ["/de/login", "POST", 404],
    ["/de/login.js", "GET", 404],
    ["/api/nothing", "GET", 404],
    ["/de/login", "HEAD", 200],
    ["/", "GET", 200],
  ] as const)
    expect([path, (await ask(path, { method })).status]).toEqual([path, status]);
});

test("HEAD returns the headers of GET, including its length, without the body", async () => {
  const { world } = served();
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => world.app.fetch(request) });
  const ask = (path: string, method: string, encoding: string) =>
    fetch(new URL(path, server.url), { method, headers: { "Accept-Encoding": encoding }, decompress: false });
  for (const [path, status] of [
    ["/de/login", 200],
    ["/fr/dashboard", 200],
    ["/robots.txt", 200],
    ["/", 200],
    ["/api/instance", 200],
    ["/api/me", 401],
    ["/nothing.js", 404],
  ] as const)
    for (const encoding of ["identity", "gzip, br"]) {
      const [got, head] = [await ask(path, "GET", encoding), await ask(path, "HEAD", encoding)];
      // Bun adds no Date to a response to HEAD.
      const [{ date: _, ...wanted }, told] = [named(got), named(head)];
      expect([path, head.status, told]).toEqual([path, status, wanted]);
      expect(told["content-length"]).toBe(String((await got.bytes()).length));
      expect(await head.text()).toBe("");
    }
  await server.stop(true);
});
