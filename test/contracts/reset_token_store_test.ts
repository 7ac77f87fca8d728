import { describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import type { ResetToken } from "../../src/identity/ports.ts";
import { after, aResetToken, freshStore } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("the reset links of IdentityStore on %s", (_, open) => {
  const { within, alice } = freshStore(open);
  const living = (tokenHash: string, ms = 0) =>
    within(({ resetTokens }) => resetTokens.findLiving(tokenHash, after(ms)));
  const save = (token: ResetToken) => within(({ resetTokens }) => resetTokens.save(token));
  const use = (tokenHash: string, ms = 0) => within(({ resetTokens }) => resetTokens.use(tokenHash, after(ms)));

  test("findLiving() returns what save() stored, until it expires", async () => {
    const token = aResetToken((await alice()).id);
    expect(await save(token)).toBe(true);
    expect(await living(token.tokenHash, 999)).toEqual(token);
    expect(await living(token.tokenHash, 1000)).toBeUndefined();
    expect(await living("unknown")).toBeUndefined();
  });

  test("save() lets the newest of an account void the others, in any order of the calls", async () => {
    const { id } = await alice();
    const bobs = aResetToken((await alice({ email: "bob@example.com" })).id);
    const [first, second] = [aResetToken(id), aResetToken(id, { createdAt: after(1) })];
    expect(await save(bobs)).toBe(true);
    expect(await save(first)).toBe(true);
    expect(await save(second)).toBe(true);
    expect(await save(first)).toBe(false);
    expect(await save(aResetToken(id, { createdAt: after(1) }))).toBe(false);
    expect(await living(first.tokenHash)).toBeUndefined();
    expect(await living(second.tokenHash)).toEqual(second);
    expect(await living(bobs.tokenHash)).toEqual(bobs);
  });

  test("use() succeeds once of 50 concurrent calls, and leaves other accounts' links alone", async () => {
    const token = aResetToken((await alice()).id);
    const bobs = aResetToken((await alice({ email: "bob@example.com" })).id);
    await save(token);
    await save(bobs);
    const won = await Promise.all(Array.from({ length: 50 }, () => use(token.tokenHash)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await living(token.tokenHash)).toBeUndefined();
    expect(await living(bobs.tokenHash)).toEqual(bobs);
  });

  test("use() fails from the time the token expires", async () => {
    const token = aResetToken((await alice()).id);
    await save(token);
    expect(await use(token.tokenHash, 1000)).toBe(false);
    expect(await use(token.tokenHash, 999)).toBe(true);
  });

  test("removeExpired() removes expired links and nothing else", async () => {
    const over = aResetToken((await alice()).id);
    const fresh = aResetToken((await alice({ email: "bob@example.com" })).id, { expiresAt: after(1001) });
    await save(over);
    await save(fresh);
    await within(({ resetTokens }) => resetTokens.removeExpired(after(1000)));
    expect(await living(over.tokenHash)).toBeUndefined();
    expect(await living(fresh.tokenHash)).toEqual(fresh);
  });
});
