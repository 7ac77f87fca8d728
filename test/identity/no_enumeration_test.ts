import { describe, expect, test } from "bun:test";
import type { Client, IdentityStore } from "../../src/identity/mod.ts";
import { ok } from "../../src/shared/result.ts";
import { ALICE, identityWorld } from "./identity_world.ts";

/** Records each hash and, by repository and function, every call of the store. */
function observedWorld() {
  const world = identityWorld();
  let work: string[] = [];
  const observed = <Repository extends object>(name: string, repository: Repository): Repository =>
    new Proxy(repository, {
      get(target, key, receiver) {
        work.push(`${name}.${String(key)}`);
        return Reflect.get(target, key, receiver);
      },
    });
  const watched = identityWorld({
    transaction: (inside) =>
      world.transaction((store) => {
        work.push("transaction");
        const each = Object.entries(store).map(([name, repository]) => [name, observed(name, repository)]);
        return inside(Object.fromEntries(each) as IdentityStore);
      }),
    passwords: {
      async hash() {
        work.push("hash");
        return ok("hash");
      },
      async verify() {
        work.push("verify");
        return ok({ matches: false, outdated: false });
      },
    },
  });
  return {
    world,
    identity: watched.identity,
    workOf: async (act: () => Promise<unknown>) => {
      work = [];
      const answer = await act();
      return { answer, work };
    },
  };
}

const at = (i: number): Client => ({ ip: `198.51.100.${i}`, token: undefined });

async function observed() {
  const { world, identity, workOf } = observedWorld();
  await world.identity.register(ALICE, { ip: "203.0.113.9" });
  const { deviceToken } = await world.complete();
  return { deviceToken, identity, workOf };
}

describe("existing and unknown accounts", () => {
  test("cost login() the same work and get the same response, before and during a lock", async () => {
    const { identity, workOf } = await observed();
    const attempt = (email: string, i: number) =>
      workOf(() => identity.login({ email, password: "Wr0ng-Password" }, at(i)));
    for (let i = 0; i < 12; i++) {
      const known = await attempt(ALICE.email, i);
      expect(await attempt("nobody@example.com", i + 100)).toEqual(known);
      expect(known.work.filter((part) => part === "verify")).toHaveLength(i < 10 ? 1 : 0);
      expect(known.work).toContain(i < 10 ? "audit.add" : "attempts.reserve");
    }
  });

  test("cost login() the same work from a known device of another account", async () => {
    const { identity, workOf, deviceToken } = await observed();
    await identity.register({ ...ALICE, email: "bob@example.com" }, { ip: "203.0.113.9" });
    const attempt = (email: string, i: number) =>
      workOf(() => identity.login({ email, password: "Wr0ng-Password" }, { ...at(i), deviceToken }));
    expect(await attempt("nobody@example.com", 1)).toEqual(await attempt("bob@example.com", 2));
  });

  test("cost forgotPassword() the same work and get the same response", async () => {
    const { identity, workOf } = await observed();
    const known = await workOf(() => identity.forgotPassword({ email: ALICE.email }, at(1)));
    const unknown = await workOf(() => identity.forgotPassword({ email: "nobody@example.com" }, at(2)));
    expect(known.answer).toEqual(ok({ email: ALICE.email }));
    expect(unknown).toEqual({ ...known, answer: ok({ email: "nobody@example.com" }) });
    expect(known.work.join()).not.toContain("users.");
  });
});
