import { beforeEach, describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import { createIdentity, type Identity, type IdentityStore } from "../../src/identity/mod.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase, type TestStore } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

const WRONG = "999999";
const RIGHT = "123456";
const times = <T>(count: number, act: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => act(i)));
const outcome = (result: { ok: true } | { ok: false; code: string }) => (result.ok ? "ok" : result.code);

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("logging in on %s", (_, open) => {
  let store: TestStore<IdentityStore>;
  let world: ReturnType<typeof identityWorld>;
  let identity: Identity;
  let compared: number;

  beforeEach(async () => {
    store = await open();
    world = identityWorld();
    compared = 0;
    const mac = (purpose: string, value: string) => {
      if (purpose === "login-code") compared++;
      return world.mac(purpose, value);
    };
    identity = createIdentity({ ...world, mac, newCode: () => RIGHT, transaction: store.transaction });
    for (const account of [ALICE, BOB]) await identity.register(account, { ip: "203.0.113.9" });
  });

  async function started(
    { email, password } = ALICE,
    client: { ip: string; token?: string; deviceToken?: string } = { ip: HOME },
  ) {
    const result = await identity.login({ email, password }, { token: undefined, ...client });
    if (!result.ok) throw new Error(result.code);
    return result.value.token;
  }
  async function signedIn(account = ALICE, ip = HOME) {
    const token = await started(account, { ip });
    const result = await identity.verifyCode({ code: RIGHT }, { ip, token });
    if (!result.ok) throw new Error(result.code);
    return result.value;
  }
  const holderOf = async (token: string) => {
    const session = await identity.sessionOf(token);
    if (!session) throw new Error("No session");
    return session;
  };

  test("verifyCode() compares at most five of 200 concurrent wrong codes from many addresses", async () => {
    const token = await started();
    compared = 0;
    const answers = await times(200, (i) =>
      identity.verifyCode({ code: WRONG }, { ip: `10.0.${i >> 4}.${i & 15}`, token }),
    );
    expect(compared).toBe(5);
    // Those that found the log-in still open count towards the account's lock, compared or not.
    expect(answers.map(outcome).filter((code) => code !== "CODE_INVALID" && code !== "LOCKED")).toEqual([]);
    expect(await identity.sessionOf(token)).toBeUndefined();
  });

  test("verifyCode() counts, logs and mails a lock once, however many wrong codes are concurrent", async () => {
    await signedIn();
    await takePublished(store.outbox);
    world.pass({ hours: 2 });
    let evaluated = 0;
    for (let challenge = 0; challenge < 2; challenge++) {
      const token = await started();
      compared = 0;
      await times(20, (i) => identity.verifyCode({ code: WRONG }, { ip: `10.${challenge}.0.${i}`, token }));
      evaluated += compared;
      world.pass({ minutes: 1 });
    }
    expect(evaluated).toBeWithin(5, 11);
    const user = await store.transaction(({ users }) => users.findByEmail(ALICE.email));
    expect(user?.wrongCodes).toBe(evaluated);
    const mails = (await takePublished(store.outbox)).filter((event) => event.type === "mail.requested");
    expect(mails.filter(({ template }) => template === "code_locked")).toHaveLength(1);
    const log = await store.transaction(({ audit }) => audit.list(user?.id ?? "", new Date(0), 100));
    expect(log.filter(({ event }) => event === "locked")).toHaveLength(1);
    expect(log.filter(({ event }) => event === "code_wrong")).toHaveLength(9);
  });

  test("confirmPassword() lets one of ten concurrent correct ones renew the session", async () => {
    const { token } = await signedIn();
    const holder = { ...(await holderOf(token)), password: ALICE.password };
    const answers = await times(10, () => identity.confirmPassword(holder, { ip: HOME, token }));
    expect(answers.map(outcome).toSorted()).toEqual([...Array(9).fill("SESSION_EXPIRED"), "ok"]);
    const [renewed] = answers.flatMap((answer) => (answer.ok ? answer.value.token : []));
    expect(await identity.sessionOf(token)).toBeUndefined();
    expect(await identity.sessionOf(renewed ?? "")).toMatchObject({ sessionId: holder.sessionId, confirmed: true });
  });

  test("endOtherSessions() leaves one of eight browsers that end each other concurrently", async () => {
    const tokens: string[] = [];
    for (let i = 0; i < 8; i++) tokens.push((await signedIn()).token);
    const holders = await Promise.all(tokens.map(holderOf));
    const answers = await Promise.all(
      holders.map((holder) => identity.endOtherSessions(holder, { ip: HOME, token: undefined })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const living = await Promise.all(tokens.map((token) => identity.sessionOf(token)));
    expect(living.filter(Boolean)).toHaveLength(1);
  });

  test("two accounts that log in over each other's full session lists never deadlock", async () => {
    const tokens = { alice: [] as string[], bob: [] as string[] };
    for (let i = 0; i < 20; i++) {
      tokens.alice.push((await signedIn(ALICE, `10.1.0.${i}`)).token);
      tokens.bob.push((await signedIn(BOB, `10.2.0.${i}`)).token);
      world.pass({ seconds: 1 });
    }
    // Each browser brings the session of the other account, which is also the next to be dropped from that account's
    // list.
    const crossed = await times(12, async (i) => {
      const [account, brought] = i % 2 ? [ALICE, tokens.bob[i >> 1]] : [BOB, tokens.alice[i >> 1]];
      const ip = `10.3.0.${i}`;
      const token = await started(account, { ip, ...(brought !== undefined && { token: brought }) });
      return identity.verifyCode({ code: RIGHT }, { ip, token });
    });
    const others = ["ok", "CODE_INVALID"];
    expect(crossed.map(outcome).filter((code) => !others.includes(code))).toEqual([]);
    expect(crossed.map(outcome)).toContain("ok");
  });

  test("all calls run concurrently with correct responses, and never deadlock", async () => {
    const { token, deviceToken } = await signedIn();
    const holder = await holderOf(token);
    world.pass({ hours: 2 });
    const halfWay = await started();
    const work = await times(80, async (i) => {
      const client = { ip: `10.0.0.${i % 5}`, token: undefined, ...(i % 3 === 0 && { deviceToken }) };
      const { email, password } = i % 2 ? ALICE : BOB;
      if (i % 10 === 1) return identity.endOtherSessions(holder, { ...client, token });
      if (i % 10 === 2) return identity.cleanUp();
      if (i % 10 === 3) return identity.logout({ ...client, token: halfWay });
      if (i % 10 === 4) return identity.confirmPassword({ ...holder, password: ALICE.password }, { ...client, token });
      if (i % 10 === 5) return identity.resendCode(halfWay, { ip: HOME });
      if (i % 10 < 8) return identity.verifyCode({ code: WRONG }, { ...client, token: halfWay });
      return identity.login({ email, password: i % 4 ? password : "Wr0ng-Password" }, client);
    });
    const codes = new Set(work.flatMap((answer) => (answer && !answer.ok ? answer.code : [])));
    const expected = ["CODE_INVALID", "LOCKED", "CREDENTIALS_INVALID", "SESSION_EXPIRED", "CODE_RESEND_TOO_SOON"];
    expect([...codes].filter((code) => !expected.includes(code))).toEqual([]);
  });
});
