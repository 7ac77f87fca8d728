import { describe, expect, test } from "bun:test";
import { pushKeys } from "../../src/notifications/adapters/channels/webpush/push_keys.ts";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import { keysOf } from "../../src/runtime/crypto.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("PushKeyRepository on %s", (_, openStore) => {
  test("add() keeps the first key, also of concurrent callers", async () => {
    const { transaction } = await openStore();
    expect(await transaction(({ pushKeys }) => pushKeys.find())).toBeUndefined();
    const keys = ["a", "b", "c"].map((publicKey) => ({ publicKey, sealed: `sealed ${publicKey}` }));
    await Promise.all(keys.map((key) => transaction(({ pushKeys }) => pushKeys.add(key))));
    const kept = await transaction(({ pushKeys }) => pushKeys.find());
    expect(keys).toContainEqual(kept ?? expect.unreachable());
    await transaction(({ pushKeys }) => pushKeys.add({ publicKey: "d", sealed: "sealed d" }));
    expect(await transaction(({ pushKeys }) => pushKeys.find())).toEqual(kept);
  });

  test("processes that start together make one key pair, which is stored encrypted", async () => {
    const { transaction } = await openStore();
    const { cipher } = keysOf("a secret for tests only");
    // Asking for the public key, as a GET does, makes none.
    expect(await pushKeys({ transaction, cipher }).publicKey()).toBeUndefined();
    expect(await transaction((store) => store.pushKeys.find())).toBeUndefined();
    const processes = Array.from({ length: 4 }, () => pushKeys({ transaction, cipher }));
    const all = await Promise.all(processes.map((keys) => keys.pair()));
    const [{ publicKey, privateKey } = expect.unreachable()] = all;
    expect(all).toEqual(all.map(() => ({ publicKey, privateKey })));
    expect(Buffer.from(publicKey, "base64url")).toHaveLength(65);
    const stored = await transaction(({ pushKeys }) => pushKeys.find());
    expect(stored?.publicKey).toBe(publicKey);
    expect(await pushKeys({ transaction, cipher }).publicKey()).toBe(publicKey);
    expect(stored?.sealed).not.toContain(privateKey);
    expect(await pushKeys({ transaction, cipher }).pair()).toEqual({ publicKey, privateKey });
  });
});
