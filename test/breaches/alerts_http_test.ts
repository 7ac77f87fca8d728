import { beforeAll, describe, expect, test } from "bun:test";
import type { AlertView } from "../../src/breaches/alerts/alerts.ts";
import { aBreach } from "../support/builders.ts";
import { memoryGround, settle, signedUp, worldOn } from "../support/world.ts";

const EMAIL = "alice@example.org";
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const one = (more: object = {}) => ({ id: UNKNOWN, version: 1, ...more });
const several = (count: number) => Array.from({ length: count }, () => one({ id: crypto.randomUUID() }));

let call: Awaited<ReturnType<typeof signedUp>>;
let world: ReturnType<typeof worldOn>;
let ids: string[];
const ground = memoryGround();

async function get(path: string) {
  return (await (await call("GET", path)).json()) as { items: AlertView[] };
}

/** Alice's address is in three breaches. */
beforeAll(async () => {
  world = worldOn(ground);
  ground.feed.publish(...["Adobe", "Canva", "Suno"].map((name) => aBreach({ name })));
  ground.feed.expose(EMAIL, "Adobe", "Canva", "Suno");
  await world.breaches.pollCatalogue();
  call = await signedUp(world, EMAIL);
  await call("POST", "/api/associations", {
    address: EMAIL,
    owner: true,
    language: "en",
    contacts: { email: [EMAIL] },
  });
  await settle(world);
  ids = (await get("/api/alerts?sort=service")).items.map(({ id }) => id);
});

describe("the alert routes", () => {
  test.each([
    ["GET", "/api/alerts?sort=secret", "sort"],
    ["GET", "/api/alerts?direction=up", "direction"],
    ["GET", "/api/alerts?state=gone", "state"],
    ["GET", "/api/alerts?flag=scary", "flag"],
    ["GET", "/api/alerts?page=0", "page"],
    ["GET", "/api/alerts?page=1e3", "page"],
    ["GET", "/api/alerts?page=1&page=2", "page"],
    ["GET", "/api/alerts?state=pending&state=handled", "state"],
    ["GET", "/api/alerts?category=%00", "category"],
    ["GET", "/api/alerts?address=%00", "address"],
    ["GET", `/api/alerts?search=${"x".repeat(321)}`, "search"],
    ["GET", "/api/alerts.csv", "language"],
    ["GET", "/api/alerts.csv?language=nl", "language"],
    ["GET", "/api/alerts.csv?language=de&sort=secret", "sort"],
  ])("refuse %s %s", async (method, path, field) => {
    const answer = await call(method, path);
    expect([answer.status, await answer.json()]).toEqual([
      ...[422, { code: "INVALID_INPUT", fields: { [field]: "INVALID_INPUT" } }],
    ]);
  });

  test.each([
    ["handle", {}, "alerts", "INVALID_INPUT"],
    ["handle", { alerts: [] }, "alerts", "FIELD_REQUIRED"],
    ["handle", { alerts: several(201) }, "alerts", "TOO_MANY_ALERTS"],
    ["reopen", { alerts: several(201) }, "alerts", "TOO_MANY_ALERTS"],
    ["handle", { alerts: [one(), one({ version: 2 })] }, "alerts", "INVALID_INPUT"],
    ["handle", { alerts: [one(), one({ id: UNKNOWN.toUpperCase() })] }, "alerts", "INVALID_INPUT"],
    ["handle", { alerts: [one({ id: "1 or 1=1" })] }, "alerts.0.id", "INVALID_INPUT"],
    ["handle", { alerts: [one({ version: "1" })] }, "alerts.0.version", "INVALID_INPUT"],
    ["handle", { alerts: [one({ version: 1.5 })] }, "alerts.0.version", "INVALID_INPUT"],
    ["handle", { alerts: [one({ more: 1 })] }, "alerts.0.more", "INVALID_INPUT"],
    ["handle", { alerts: [one()], reason: "because" }, "reason", "INVALID_INPUT"],
    ["handle", { alerts: [one()], note: "x".repeat(501) }, "note", "NOTE_TOO_LONG"],
    ["handle", { alerts: [one()], note: "a\0b" }, "note", "INVALID_INPUT"],
    ["handle", { alerts: [one()], note: 7 }, "note", "INVALID_INPUT"],
    ["reopen", { alerts: [one()], note: "x" }, "note", "INVALID_INPUT"],
    [`${UNKNOWN}/handle`, { version: 1, reason: 3 }, "reason", "INVALID_INPUT"],
    [`${UNKNOWN}/handle`, { version: 1, note: "x".repeat(501) }, "note", "NOTE_TOO_LONG"],
  ])("refuse to %s %j", async (path, body, field, code) => {
    const answer = await call("POST", `/api/alerts/${path}`, body);
    expect([answer.status, await answer.json()]).toEqual([422, { code: "INVALID_INPUT", fields: { [field]: code } }]);
  });

  test.each([
    ["PUT", `/api/alerts/${UNKNOWN}/steps`, { step: "dance", done: true }, "step"],
    ["PUT", `/api/alerts/${UNKNOWN}/steps`, { step: "password", done: "yes" }, "done"],
    ["POST", "/api/bell/seen", {}, "until"],
    ["POST", "/api/bell/seen", { until: "yesterday" }, "until"],
    ["POST", "/api/bell/seen", { until: 1_700_000_000 }, "until"],
    ["POST", "/api/bell/seen", { until: "2026-13-45T99:99:99Z" }, "until"],
  ])("refuse %s %s %j", async (method, path, body, field) => {
    const answer = await call(method, path, body);
    expect([answer.status, await answer.json()]).toEqual([
      ...[422, { code: "INVALID_INPUT", fields: { [field]: "INVALID_INPUT" } }],
    ]);
  });

  test("accept nothing but an id to identify an alert", async () => {
    for (const [method, path, body] of [
      ["GET", "/api/alerts/facetsx", undefined],
      ["PUT", "/api/alerts/1/steps", { step: "password", done: true }],
      ["POST", "/api/alerts/1/handle", { version: 1 }],
    ] as const) {
      const answer = await call(method, path, body);
      expect([answer.status, await answer.json()]).toEqual([404, { code: "NOT_FOUND" }]);
    }
  });

  test("handle several with a note of 500 characters, and undo with the returned versions", async () => {
    const note = `${"é".repeat(498)}🔑`;
    const handled = await call("POST", "/api/alerts/handle", {
      alerts: ids.slice(0, 2).map((id, place) => ({ id: place === 0 ? id.toUpperCase() : id, version: 1 })),
      reason: "already_known",
      note,
    });
    const { changed, conflicts } = (await handled.json()) as { changed: AlertView[]; conflicts: string[] };
    expect([handled.status, conflicts, changed.map((alert) => alert.note)]).toEqual([200, [], [note, note]]);
    const again = await call("POST", "/api/alerts/handle", { alerts: ids.map((id) => ({ id, version: 1 })) });
    expect(await again.json()).toMatchObject({ changed: [{ id: ids[2] }], conflicts: ids.slice(0, 2) });
    const alerts = changed.map(({ id, version }) => ({ id, version }));
    const undone = await call("POST", "/api/alerts/reopen", { alerts });
    expect(await undone.json()).toMatchObject({ changed: [{ state: "pending" }, { note: null }], conflicts: [] });
    await settle(world);
    const { items } = (await (await call("GET", "/api/associations")).json()) as { items: { pendingAlerts: number }[] };
    expect(items.map(({ pendingAlerts }) => pendingAlerts)).toEqual([2]);
  });

  test("return the file as an attachment that must not be cached", async () => {
    const answer = await call("GET", "/api/alerts.csv?language=it&sort=service&direction=desc&state=all");
    expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment; filename="breachbell-alerts-[\d-]+\.csv"$/);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).trim().split("\r\n");
    expect(lines[0]).toStartWith('"Email";"Servizio"');
    expect(lines.slice(1).map((line) => line.split(";")[1])).toEqual(['"Suno"', '"Canva"', '"Adobe"']);
  });

  test("stop reading the file when the client disconnects", async () => {
    const before = ground.errors.length;
    const answer = await call("GET", "/api/alerts.csv?language=en");
    await answer.body?.cancel();
    expect(await get("/api/bell")).toMatchObject({ items: [{}, {}, {}] });
    expect(ground.errors).toHaveLength(before);
  });
});
