import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { isAnnounced, stateAt } from "../../src/operations/incident.ts";
import { changeIncidentInput, type OpenIncidentInput, openIncidentInput } from "../../src/operations/inputs.ts";
import type { Incident } from "../../src/operations/ports.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryOutbox } from "../memory/events/outbox.ts";
import { ALICE } from "../support/builders.ts";
import { DAY, HOUR, MINUTE, testClock } from "../support/clock.ts";
import { operationsOn } from "../support/operations.ts";

const STAFF = ALICE.accountId;

function desk() {
  const clock = testClock();
  const database = memoryDatabase();
  const outbox = memoryOutbox(database);
  const operations = operationsOn(database, clock);
  const acts = async () => (await outbox.claim(100, clock.now(), MINUTE)).map(({ event }) => event);
  return { clock, operations, acts };
}

function input(more: Partial<OpenIncidentInput> = {}): OpenIncidentInput {
  return {
    kind: "incident",
    state: "investigating",
    title: { en: "Mail is late" },
    parts: ["email"],
    startsAt: "2026-11-20T11:30:00.000Z",
    endsAt: null,
    text: { en: "We look.", de: "Wir suchen." },
    ...more,
  };
}
const maintenance = (more: Partial<OpenIncidentInput> = {}) =>
  input({
    kind: "maintenance",
    startsAt: "2026-11-22T22:00:00.000Z",
    endsAt: "2026-11-22T23:00:00.000Z",
    ...more,
  });

async function opened({ operations }: ReturnType<typeof desk>, given: OpenIncidentInput): Promise<string> {
  const result = await operations.openIncident(STAFF, given);
  if (!result.ok) throw new Error("Cannot open the incident");
  return result.value.id;
}

describe("An incident", () => {
  test("goes from its first update to its end, each step shown and logged", async () => {
    const one = desk();
    const { clock, operations, acts } = one;
    const id = await opened(one, input());
    clock.pass(HOUR);
    await operations.updateIncident(STAFF, id, { state: "identified", text: { en: "It is DNS." } });
    clock.pass(HOUR);
    await operations.updateIncident(STAFF, id, { state: "resolved", text: { en: "Mended." } });
    expect(await operations.publicIncidents()).toEqual([
      {
        id,
        kind: "incident",
        title: { en: "Mail is late" },
        parts: ["email"],
        state: "resolved",
        startsAt: "2026-11-20T11:30:00.000Z",
        endsAt: "2026-11-20T14:00:00.000Z",
        updates: [
          { id: expect.any(String), at: "2026-11-20T14:00:00.000Z", state: "resolved", text: { en: "Mended." } },
          { id: expect.any(String), at: "2026-11-20T13:00:00.000Z", state: "identified", text: { en: "It is DNS." } },
          {
            id: expect.any(String),
            at: "2026-11-20T12:00:00.000Z",
            state: "investigating",
            text: { en: "We look.", de: "Wir suchen." },
          },
        ],
      },
    ]);
    expect(await acts()).toMatchObject(
      ["incident_opened", "incident_changed", "incident_resolved"].map((act) => ({
        type: "staff.acted",
        act,
        actor: { by: "staff", accountId: STAFF },
        object: { kind: "incident", id },
      })),
    );
  });

  test("that recurs is open again", async () => {
    const one = desk();
    const id = await opened(one, input());
    await one.operations.updateIncident(STAFF, id, { state: "resolved", text: { en: "Mended." } });
    expect(await one.operations.announcement()).toBeUndefined();
    await one.operations.updateIncident(STAFF, id, { state: "investigating", text: { en: "Not quite." } });
    expect(await one.operations.announcement()).toMatchObject({ id, state: "investigating", endsAt: null });
  });

  test("is corrected, and deleted; an unknown one is not found", async () => {
    const one = desk();
    const { operations, acts } = one;
    const id = await opened(one, input());
    const { title, parts, startsAt, endsAt } = input({
      title: { en: "Mail is very late" },
      parts: ["email", "website"],
    });
    expect(await operations.changeIncident(STAFF, id, { title, parts, startsAt, endsAt })).toMatchObject({ ok: true });
    expect(await operations.publicIncidents()).toMatchObject([{ title, parts }]);
    const withEnd = { title, parts, startsAt, endsAt: "2026-11-21T11:30:00.000Z" };
    expect(await operations.changeIncident(STAFF, id, withEnd)).toMatchObject({ ok: false, code: "INVALID_INPUT" });
    expect(await operations.deleteIncident(STAFF, id)).toMatchObject({ ok: true });
    expect(await operations.publicIncidents()).toEqual([]);
    const missing = [
      operations.deleteIncident(STAFF, id),
      operations.changeIncident(STAFF, id, { title, parts, startsAt, endsAt }),
      operations.updateIncident(STAFF, id, { state: "resolved", text: { en: "x" } }),
    ];
    for (const answer of missing) expect(await answer).toMatchObject({ ok: false, code: "NOT_FOUND" });
    expect((await acts()).map((event) => "act" in event && event.act)).toEqual([
      "incident_opened",
      "incident_changed",
      "incident_deleted",
    ]);
  });

  test("has updates that can be edited, each keeping its time; its state is that of the latest", async () => {
    const one = desk();
    const { clock, operations, acts } = one;
    const id = await opened(one, input());
    clock.pass(HOUR);
    await operations.updateIncident(STAFF, id, { state: "resolved", text: { en: "Mended." } });
    const shown = async () => (await operations.publicIncidents())[0];
    const [latest, first] = (await shown())?.updates ?? [];
    clock.pass(HOUR);
    const correct = (updateId = "", state: "identified" | "resolved" = "identified") =>
      operations.correctUpdate(STAFF, { id, updateId }, { state, text: { en: "A bad cable." } });
    expect(await correct(first?.id)).toMatchObject({ ok: true });
    const told = { state: "identified", text: { en: "A bad cable." } };
    // The first update is not decisive any more.
    expect(await shown()).toMatchObject({
      state: "resolved",
      endsAt: "2026-11-20T13:00:00.000Z",
      updates: [latest, { ...first, ...told }],
    });
    expect(await correct(latest?.id)).toMatchObject({ ok: true });
    expect(await shown()).toMatchObject({ state: "identified", endsAt: null, updates: [{ ...latest, ...told }, {}] });
    expect(await correct(latest?.id, "resolved")).toMatchObject({ ok: true });
    expect(await shown()).toMatchObject({ state: "resolved", endsAt: "2026-11-20T13:00:00.000Z" });
    const other = await opened(one, input());
    expect(
      await operations.correctUpdate(STAFF, { id: other, updateId: latest?.id ?? "" }, told as never),
    ).toMatchObject({
      code: "NOT_FOUND",
    });
    const said = (await acts()).map((event) => "act" in event && event.act);
    expect(said.filter((act) => act === "incident_news_changed")).toHaveLength(3);
  });

  test("disappears from the public list ninety days after its end, and stays in the staff's", async () => {
    const one = desk();
    const id = await opened(one, input());
    await one.operations.updateIncident(STAFF, id, { state: "resolved", text: { en: "Mended." } });
    await opened(one, input({ title: { en: "Still going on" } }));
    one.clock.pass(91 * DAY);
    expect((await one.operations.publicIncidents()).map(({ title }) => title.en)).toEqual(["Still going on"]);
    const listed = await one.operations.listIncidents(1);
    expect(listed.ok && listed.value.total).toBe(2);
  });
});

describe("A maintenance", () => {
  test("is announced a day ahead, starts and ends by the clock", async () => {
    const one = desk();
    const id = await opened(one, maintenance());
    const state = async () => (await one.operations.publicIncidents())[0]?.state;
    expect(await state()).toBe("planned");
    expect(await one.operations.announcement()).toBeUndefined();
    one.clock.set("2026-11-21T22:00:00.000Z");
    expect(await one.operations.announcement()).toMatchObject({ id, state: "planned" });
    one.clock.set("2026-11-22T22:00:00.000Z");
    expect(await state()).toBe("running");
    one.clock.set("2026-11-22T23:00:00.000Z");
    expect(await state()).toBe("resolved");
    expect(await one.operations.announcement()).toBeUndefined();
  });

  test("can be ended early, and its updates have the state of their time", async () => {
    const one = desk();
    const id = await opened(one, maintenance());
    one.clock.set("2026-11-22T22:10:00.000Z");
    await one.operations.updateIncident(STAFF, id, { state: "investigating", text: { en: "Half way." } });
    one.clock.pass(10 * MINUTE);
    await one.operations.updateIncident(STAFF, id, { state: "resolved", text: { en: "Done." } });
    const [told] = await one.operations.publicIncidents();
    expect(told).toMatchObject({ state: "resolved", endsAt: "2026-11-22T22:20:00.000Z" });
    expect(told?.updates.map(({ state }) => state)).toEqual(["resolved", "running", "planned"]);
  });

  test("is listed after ongoing incidents", async () => {
    const one = desk();
    await opened(one, maintenance());
    one.clock.set("2026-11-22T12:00:00.000Z");
    const id = await opened(one, input({ startsAt: "2026-11-22T11:00:00.000Z" }));
    expect(await one.operations.announcement()).toMatchObject({ id });
    expect((await one.operations.publicIncidents()).map(({ kind }) => kind)).toEqual(["incident", "maintenance"]);
  });
});

describe("stateAt() and isAnnounced()", () => {
  const base: Incident = {
    id: "1",
    kind: "maintenance",
    title: { en: "x" },
    parts: [],
    state: "investigating",
    resolvedAt: undefined,
    startsAt: new Date("2026-11-20T12:00:00Z"),
    endsAt: new Date("2026-11-20T13:00:00Z"),
  };
  test.each([
    ["2026-11-19T11:59:59Z", "planned", false],
    ["2026-11-19T12:00:00Z", "planned", true],
    ["2026-11-20T12:00:00Z", "running", true],
    ["2026-11-20T13:00:00Z", "resolved", false],
  ])("at %s: %s", (time, state, announced) => {
    expect(stateAt(base, new Date(time))).toBe(state as never);
    expect(isAnnounced(base, new Date(time))).toBe(announced);
  });
});

describe("inputs", () => {
  const issues = (given: unknown) => {
    const { success, issues: found } = v.safeParse(openIncidentInput, given);
    return success ? [] : found.map((issue) => `${v.getDotPath(issue)} ${issue.message}`);
  };
  test("require English, and drop empty languages", () => {
    expect(v.parse(openIncidentInput, input({ title: { en: " Late ", fr: " " } })).title).toEqual({ en: "Late" });
    expect(issues(input({ title: { en: " " } }))).toEqual(["title.en FIELD_REQUIRED"]);
    expect(issues(input({ text: { en: "x".repeat(2001) } }))).toEqual(["text.en TEXT_TOO_LONG"]);
  });

  test("accept an end for maintenance only, and later than its start", () => {
    expect(issues(maintenance())).toEqual([]);
    expect(issues(maintenance({ endsAt: null }))).toEqual(["endsAt TIME_INVALID"]);
    expect(issues(input({ endsAt: "2026-11-21T00:00:00Z" }))).toEqual(["endsAt TIME_INVALID"]);
    expect(issues(maintenance({ endsAt: "2026-11-22T22:00:00Z" }))).toEqual(["endsAt END_BEFORE_START"]);
    expect(issues(input({ startsAt: "2026-13-40T99:00:00Z" }))).toContain("startsAt TIME_INVALID");
    const { title, parts, startsAt } = input();
    expect(v.safeParse(changeIncidentInput, { title, parts, startsAt, endsAt: "2020-01-01T00:00:00Z" }).success).toBe(
      false,
    );
  });
});
