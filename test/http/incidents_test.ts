import { describe, expect, test } from "bun:test";
import { memoryIdentity } from "../memory/identity/store.ts";
import { HOUR, SECOND } from "../support/clock.ts";
import { memoryGround, settle, signedUp, worldOn } from "../support/world.ts";

const STAFF = "alice@example.com";
const OTHER = "bob@example.com";
const GIVEN = {
  kind: "incident",
  state: "investigating",
  title: { en: "Mail <is> late", de: "Mails verspätet" },
  parts: ["email"],
  startsAt: "2026-11-20T11:30:00.000Z",
  endsAt: null,
  text: { en: "We look & mend." },
};

/** The product with a staff member and another user. */
async function installation() {
  const ground = memoryGround();
  const world = worldOn(ground);
  const alice = await signedUp(world, STAFF);
  const bob = await signedUp(world, OTHER);
  const account = await ground.transactionOf(memoryIdentity)(({ users }) => users.findByEmail(STAFF));
  expect(await world.identity.setStaff(account?.id ?? "", { staff: true })).toMatchObject({ ok: true });
  const seen = async <T>(path: string): Promise<T> => {
    ground.clock.pass(10 * SECOND);
    return (await world.app.request(path)).json() as Promise<T>;
  };
  return { ground, world, alice, bob, seen };
}
type ShownIncidents = { incidents: { id: string; state: string; updates: { id: string; state: string }[] }[] };
type Notice = { notice: { id: string; title: Record<string, string>; state: string } | null };

describe("incidents", () => {
  test("are opened, updated, ended and deleted by staff; everybody can see them, and the audit log records it", async () => {
    const { ground, world, alice, seen } = await installation();
    const opened = await alice("POST", "/api/staff/incidents", GIVEN);
    expect(opened.status).toBe(201);
    const { id } = (await opened.json()) as { id: string };
    expect(await seen<ShownIncidents>("/api/service-status")).toMatchObject({
      incidents: [{ id, state: "investigating" }],
    });
    expect(await seen<Notice>("/api/service-notice")).toMatchObject({
      notice: { id, title: GIVEN.title, state: "investigating" },
    });
    ground.clock.pass(HOUR);
    const news = { state: "resolved", text: { en: "Mended." } };
    expect((await alice("POST", `/api/staff/incidents/${id}/updates`, news)).status).toBe(201);
    expect(await seen<Notice>("/api/service-notice")).toEqual({ notice: null });
    const { incidents } = await seen<ShownIncidents>("/api/service-status");
    expect(incidents[0]?.updates.map(({ state }) => state)).toEqual(["resolved", "investigating"]);
    const { kind: _, state: __, text: ___, ...head } = GIVEN;
    const corrected = { ...head, parts: ["email", "telegram"] };
    expect((await alice("PUT", `/api/staff/incidents/${id}`, corrected)).status).toBe(200);
    const told = incidents[0]?.updates[1];
    const words = { state: "identified", text: { en: "We looked.", fr: "Nous avons regardé." } };
    expect((await alice("PUT", `/api/staff/incidents/${id}/updates/${told?.id}`, words)).status).toBe(200);
    expect((await seen<ShownIncidents>("/api/service-status")).incidents[0]?.updates[1]).toMatchObject({
      ...told,
      ...words,
    });
    const listed = await (await alice("GET", "/api/staff/incidents")).json();
    expect(listed).toMatchObject({ items: [{ id, parts: ["email", "telegram"] }], total: 1 });
    expect((await alice("DELETE", `/api/staff/incidents/${id}`)).status).toBe(200);
    expect(await seen<ShownIncidents>("/api/service-status")).toMatchObject({ incidents: [] });
    await settle(world);
    const { acts } = (await (await alice("GET", "/api/staff/acts")).json()) as {
      acts: { act: string; object: object }[];
    };
    const ours = acts.filter(({ act }) => act.startsWith("incident_"));
    expect(ours.map(({ act }) => act)).toEqual([
      ...["incident_deleted", "incident_news_changed", "incident_changed", "incident_resolved", "incident_opened"],
    ]);
    expect(ours[0]?.object).toMatchObject({ kind: "incident", id });
    expect(ground.errors).toEqual([]);
  });

  test("are a feed that any reader can parse, in the requested language where it was written in it", async () => {
    const { alice, world } = await installation();
    await alice("POST", "/api/staff/incidents", GIVEN);
    const answer = await world.app.request("/service-status.atom?language=de");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/atom+xml; charset=utf-8");
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=10");
    const feed = await answer.text();
    expect(feed).toContain('<title xml:lang="de">Mails verspätet</title>');
    expect(feed).toContain("We look &amp; mend.");
    expect(feed).toContain('href="https://breachbell.example/de/service-status#incident-');
    const english = await (await world.app.request("/service-status.atom?language=xx")).text();
    expect(english).toContain('<title xml:lang="en">Mail &lt;is&gt; late</title>');
    let depth = 0;
    for (const [, close, name, self] of feed.matchAll(/<(\/?)([a-z]+)[^>?]*?(\/?)>/g)) {
      if (name !== undefined && self === "") depth += close === "" ? 1 : -1;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
  });

  test("can be managed by staff only", async () => {
    const { world, alice, bob } = await installation();
    const { id } = (await (await alice("POST", "/api/staff/incidents", GIVEN)).json()) as { id: string };
    const calls: [string, string, object?][] = [
      ["GET", "/api/staff/incidents"],
      ["POST", "/api/staff/incidents", GIVEN],
      ["PUT", `/api/staff/incidents/${id}`, {}],
      ["POST", `/api/staff/incidents/${id}/updates`, { state: "resolved", text: { en: "x" } }],
      ["PUT", `/api/staff/incidents/${id}/updates/${crypto.randomUUID()}`, { state: "resolved", text: { en: "x" } }],
      ["DELETE", `/api/staff/incidents/${id}`],
    ];
    for (const [method, path, body] of calls) {
      expect((await bob(method, path, body)).status, `${method} ${path}`).toBe(404);
      const headers = { "Sec-Fetch-Site": "same-origin", ...(body && { "Content-Type": "application/json" }) };
      const stranger = await world.app.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      expect(stranger.status, `${method} ${path}`).toBe(404);
    }
    expect(await (await alice("GET", "/api/staff/incidents")).json()).toMatchObject({ total: 1 });
  });

  test("are rejected with the invalid field, and a malformed id is not found", async () => {
    const { alice } = await installation();
    const wrong = await alice("POST", "/api/staff/incidents", { ...GIVEN, title: { en: " ", de: "Nur deutsch" } });
    expect(wrong.status).toBe(422);
    expect(await wrong.json()).toEqual({ code: "INVALID_INPUT", fields: { "title.en": "FIELD_REQUIRED" } });
    const { id: known } = (await (await alice("POST", "/api/staff/incidents", GIVEN)).json()) as { id: string };
    const words = { state: "resolved", text: { en: "x" } };
    for (const id of ["nothing", crypto.randomUUID()]) {
      expect((await alice("DELETE", `/api/staff/incidents/${id}`)).status).toBe(404);
      expect((await alice("PUT", `/api/staff/incidents/${known}/updates/${id}`, words)).status).toBe(404);
    }
  });
});
