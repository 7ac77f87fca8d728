import { beforeEach, describe, expect, test } from "bun:test";
import { accepted } from "../support/builders.ts";
import { ALICE, HOME, identityWorld } from "./identity_world.ts";

const NEW = "Quiet-River-9-Boat";
let world: ReturnType<typeof identityWorld>;
/** Two known devices, each with a session. */
let own: { token: string; deviceToken: string };
let other: { token: string; deviceToken: string };

beforeEach(async () => {
  world = identityWorld();
  await world.identity.register(ALICE, { ip: "203.0.113.9" });
  own = await world.complete();
  other = await world.complete();
});

/** The account is locked by other people's attempts, so only a known device can log in. */
async function isKnown(deviceToken: string | undefined, password: string = ALICE.password): Promise<boolean> {
  for (let i = 0; i < 10; i++)
    await world.identity.login(
      { email: ALICE.email, password: "Wr0ng-Password" },
      { ip: `198.51.100.${i}`, token: undefined },
    );
  const answer = await world.identity.login(
    { email: ALICE.email, password },
    { ip: HOME, token: undefined, deviceToken },
  );
  if (!answer.ok) expect(answer.code).toBe("LOCKED");
  return answer.ok;
}

const client = () => ({ ip: HOME, token: own.token, deviceToken: own.deviceToken });
async function holder() {
  const session = await world.identity.sessionOf(own.token);
  if (!session) throw new Error("No session");
  return session;
}

describe("a known device", () => {
  test("stays known until something revokes it", async () => {
    expect(await isKnown(own.deviceToken)).toBe(true);
    expect(await isKnown(other.deviceToken)).toBe(true);
  });

  test("is no longer known once another one has ended all other sessions, but that one is", async () => {
    const { deviceToken } = accepted(await world.identity.endOtherSessions(await holder(), client()));
    expect(await isKnown(other.deviceToken)).toBe(false);
    expect(await isKnown(own.deviceToken)).toBe(false);
    expect(await isKnown(deviceToken)).toBe(true);
  });

  test("is no longer known once another one has changed the password, but that one is", async () => {
    const renewed = accepted(await world.identity.changePassword(await holder(), { password: NEW }, client()));
    expect(await isKnown(other.deviceToken, NEW)).toBe(false);
    expect(await isKnown(renewed.deviceToken, NEW)).toBe(true);
  });

  test("is no longer known once the password was reset by link, unless on this device", async () => {
    await world.forgot();
    const token = await world.resetToken();
    const kept = accepted(await world.identity.resetPassword({ token, password: NEW }, client()));
    expect(await isKnown(other.deviceToken, NEW)).toBe(false);
    expect(await isKnown(kept?.deviceToken, NEW)).toBe(true);
  });

  test("does not become known by using a link", async () => {
    await world.forgot();
    const token = await world.resetToken();
    expect(accepted(await world.identity.resetPassword({ token, password: NEW }, { ip: HOME }))).toBeUndefined();
  });

  test("is known again after its next log-in", async () => {
    accepted(await world.identity.endOtherSessions(await holder(), client()));
    const again = await world.complete(ALICE, { ip: HOME, deviceToken: other.deviceToken });
    expect(await isKnown(again.deviceToken)).toBe(true);
    expect(again.deviceToken.split(".")).toHaveLength(3);
  });
});
