import { describe, expect, test } from "bun:test";
import { passwordHasher, queue } from "../../src/identity/adapters/secrets/password_hasher.ts";
import type { PasswordHasher } from "../../src/identity/ports.ts";
import { fail, ok } from "../../src/shared/result.ts";
import { plainPasswords } from "../memory/identity/store.ts";

async function hashed(hasher: PasswordHasher, password: string): Promise<string> {
  const result = await hasher.hash(password);
  if (!result.ok) throw new Error(result.code);
  return result.value;
}

const adapters = { memory: plainPasswords, argon2: passwordHasher };

describe.each(Object.entries(adapters))("PasswordHasher on %s", (_, open) => {
  test("verify() accepts the password and no other", async () => {
    const hash = await hashed(open(), "Tr4in-Window-Seat");
    expect(await open().verify("Tr4in-Window-Seat", hash)).toEqual(ok({ matches: true, outdated: false }));
    expect(await open().verify("tr4in-Window-Seat", hash)).toEqual(ok({ matches: false, outdated: false }));
  });

  test("verify() accepts the password in any Unicode composition", async () => {
    const hash = await hashed(open(), "Caf\u00e9-Tr4in");
    expect(await open().verify("Cafe\u0301-Tr4in", hash)).toEqual(ok({ matches: true, outdated: false }));
  });

  test("verify() returns false if there is no account", async () => {
    expect(await open().verify("Tr4in-Window-Seat", undefined)).toEqual(ok({ matches: false, outdated: false }));
  });

  test("verify() uses all 128 characters", async () => {
    const long = `A1${"ü".repeat(126)}`;
    const hash = await hashed(open(), long);
    expect(await open().verify(`${long.slice(0, -1)}x`, hash)).toMatchObject({ value: { matches: false } });
  });
});

describe("passwordHasher()", () => {
  test("hash() includes its parameters and never returns the same hash twice", async () => {
    const hasher = passwordHasher();
    const [one, other] = [await hashed(hasher, "Tr4in-Window-Seat"), await hashed(hasher, "Tr4in-Window-Seat")];
    expect(one).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(one).not.toBe(other);
  });

  test("verify() marks a hash with other parameters as outdated", async () => {
    const old = await Bun.password.hash("Tr4in-Window-Seat", { algorithm: "argon2id", memoryCost: 8192, timeCost: 1 });
    expect(await passwordHasher().verify("Tr4in-Window-Seat", old)).toEqual(ok({ matches: true, outdated: true }));
  });

  test("verify() works as long if there is no account: other pending work finishes first", async () => {
    const answered = passwordHasher().verify("Tr4in-Window-Seat", undefined);
    const others = new Promise((resolve) => setImmediate(() => setImmediate(() => resolve("at work"))));
    expect(await Promise.race([answered.then(() => "answered"), others])).toBe("at work");
    await answered;
  });

  test("hash() runs two concurrently, queues 32 and returns BUSY to the rest immediately", async () => {
    const hasher = passwordHasher();
    const results = await Promise.all(Array.from({ length: 40 }, () => hasher.verify("Tr4in-Window-Seat", undefined)));
    expect(results.filter((result) => result.ok)).toHaveLength(34);
    expect(results.slice(34)).toEqual(Array(6).fill(fail("BUSY", { retryAfter: 2 })));
  });
});

describe("queue()", () => {
  test("queue() never exceeds its concurrency, keeps the order of arrival, and continues after a failure", async () => {
    const run = queue(2, 10);
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    const works = Array.from({ length: 8 }, (_, i) =>
      run(async () => {
        begun.push(i);
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        if (i === 1) throw new Error("Cannot do number 1");
        return i;
      }),
    );
    const settled = await Promise.allSettled(works);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(2);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", ...Array(6).fill("fulfilled")]);
    expect(await run(async () => "free again")).toEqual(ok("free again"));
  });
});
