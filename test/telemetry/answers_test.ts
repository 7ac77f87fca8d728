import { describe, expect, test } from "bun:test";
import { answerCount } from "../../src/telemetry/answers.ts";
import { HOUR, MINUTE, testClock } from "../support/clock.ts";
import { adaptersOn, composed, memoryGround, signedUp } from "../support/world.ts";

type Shown = Record<"sinceStart" | "lastHour", { all: number; refused: number; failed: number }>;

test("responses are counted since the start and within an hour, refused and failed ones separately", () => {
  const clock = testClock();
  const answers = answerCount(clock.now);
  for (const status of [200, 304, 404, 429, 500, 503]) answers.count(status);
  clock.pass(HOUR);
  answers.count(500);
  expect(answers.figures()).toEqual({
    startedAt: new Date(clock.now().getTime() - HOUR),
    sinceStart: { all: 7, refused: 2, failed: 3 },
    lastHour: { all: 1, refused: 0, failed: 1 },
  });
});

describe("the staff's overview", () => {
  /** The product, a staff member, and the overview's request figures. */
  async function office() {
    const ground = memoryGround();
    const adapters = adaptersOn(ground);
    let isBroken = false;
    const world = composed({
      ...adapters,
      transactions: {
        ...adapters.transactions,
        billing: (work) => (isBroken ? Promise.reject(new Error("a bug")) : adapters.transactions.billing(work)),
      },
    });
    const admin = await signedUp(world, "admin@example.com");
    const account = await world.identity.accountNamed("admin@example.com");
    if (account.ok) await world.identity.setStaff(account.value.accountId, { staff: true });
    const overview = async () =>
      ((await (await admin("GET", "/api/staff/overview")).json()) as { process: Shown }).process;
    const breakDown = () => {
      isBroken = true;
    };
    return { ground, world, admin, overview, breakDown };
  }

  test("shows how many responses failed and how many were refused", async () => {
    const { admin, overview, breakDown, ground } = await office();
    const before = await overview();
    breakDown();
    expect((await admin("GET", "/api/subscription")).status).toBe(500);
    expect((await admin("GET", "/api/nothing")).status).toBe(404);
    const after = await overview();
    // The first view of the overview counts, too.
    expect(after.sinceStart).toEqual({
      all: before.sinceStart.all + 3,
      refused: before.sinceStart.refused + 1,
      failed: before.sinceStart.failed + 1,
    });
    ground.clock.pass(61 * MINUTE);
    expect((await overview()).lastHour).toMatchObject({ failed: 0, refused: 0 });
  });

  test("excludes probes, and the maintenance page", async () => {
    const { world, overview, ground } = await office();
    const { sinceStart } = await overview();
    await world.app.request("/readyz");
    await world.operations.startMaintenance({ until: undefined, message: undefined });
    expect((await world.app.request("/en/login")).status).toBe(503);
    await world.operations.endMaintenance();
    ground.clock.pass(1000);
    expect(await overview()).toMatchObject({ sinceStart: { failed: 0, all: sinceStart.all + 1 } });
  });
});
