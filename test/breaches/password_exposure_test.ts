import { describe, expect, test } from "bun:test";
import { exposesPasswords } from "../../src/breaches/alerts/password_exposure.ts";
import type { BreachFlag } from "../../src/shared/breach.ts";
import { worldOfAlice } from "../support/breaches.ts";
import { ALICE, BOB } from "../support/builders.ts";

describe("exposesPasswords()", () => {
  test.each([
    [["Email addresses", "Passwords"], [], true],
    [["Historical passwords"], [], true],
    [["Email addresses"], ["stealerLog"], true],
    [["Password hints", "Password strengths", "Names"], [], false],
    [["Email addresses"], ["spamList", "malware"], false],
    [[], [], false],
  ] as [string[], BreachFlag[], boolean][])("%j with %j: %p", (dataClasses, flags, expected) => {
    expect(exposesPasswords({ dataClasses, flags })).toBe(expected);
  });
});

describe("leaksPasswords()", () => {
  test("finds an account's own address once its first check is done, handled alerts included", async () => {
    const world = await worldOfAlice();
    const leaks = () => world.breaches.leaksPasswords(ALICE.accountId, ALICE.address);
    await world.watch(ALICE);
    expect(await leaks()).toBe(false);
    await world.breaches.scanDue();
    expect(await leaks()).toBe(true);
    const listed = await world.breaches.listAlerts(ALICE.accountId, { state: "all", search: "", page: 1 });
    if (!listed.ok) throw new Error(listed.code);
    for (const { id, version } of listed.value.items) await world.breaches.handleAlert(ALICE.accountId, id, version);
    expect(await leaks()).toBe(true);
  });

  test("reveals nothing of an address that only others track, and forgets addresses that are no longer monitored", async () => {
    const world = await worldOfAlice();
    const associationId = await world.watch(ALICE);
    await world.watch(BOB);
    await world.breaches.scanDue();
    expect(await world.breaches.leaksPasswords(BOB.accountId, ALICE.address)).toBe(false);
    expect(await world.breaches.leaksPasswords(BOB.accountId, BOB.address)).toBe(false);
    await world.breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", associationId, ...ALICE });
    expect(await world.breaches.leaksPasswords(ALICE.accountId, ALICE.address)).toBe(false);
  });
});
