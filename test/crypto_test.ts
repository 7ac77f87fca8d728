import { afterAll, describe, expect, test } from "bun:test";
import { createHmac, hkdfSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { hashToken, keysOf, makeSecret, newToken, readSecret } from "../src/runtime/crypto.ts";

const SECRET = "correct-horse-battery-staple-4821";
const OTHER_SECRET = "correct-horse-battery-staple-4822";

describe("newToken()", () => {
  test("generates 256 random bits in base64url, never the same twice", () => {
    const tokens = Array.from({ length: 2000 }, newToken);
    for (const token of tokens) {
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(Buffer.from(token, "base64url")).toHaveLength(32);
    }
    expect(new Set(tokens).size).toBe(2000);
    // Every letter of the alphabet occurs, including the two special ones.
    expect(new Set(tokens.join("")).size).toBe(64);
  });
});

describe("hashToken()", () => {
  test("is SHA-256 in lower-case hex", () => {
    expect(hashToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(hashToken("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(hashToken("ü")).toBe(new Bun.CryptoHasher("sha256").update("ü").digest("hex"));
  });
});

describe("keysOf() seal", () => {
  const { cipher } = keysOf(SECRET);

  test("decrypts what it encrypted", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (plain) =>
        expect(cipher.decrypt(cipher.encrypt(plain))).toBe(plain),
      ),
    );
  });

  test("decrypts what was encrypted before a restart", () => {
    expect(keysOf(SECRET).cipher.decrypt(cipher.encrypt("483920"))).toBe("483920");
  });

  test("reveals neither the text nor that two texts are equal", () => {
    const [once, twice] = [cipher.encrypt("483920"), cipher.encrypt("483920")];
    expect(once).not.toBe(twice);
    expect(once).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(Buffer.from(once, "base64url").toString("latin1")).not.toContain("483920");
  });

  test("rejects modified ciphertext, wherever it was modified", () => {
    const bytes = Buffer.from(cipher.encrypt("483920"), "base64url");
    for (let at = 0; at < bytes.length; at++) {
      const tampered = Buffer.from(bytes);
      tampered[at] = (bytes[at] ?? 0) ^ 1;
      expect(() => cipher.decrypt(tampered.toString("base64url"))).toThrow();
    }
  });

  test("rejects truncated, extended and made-up ciphertext", () => {
    const sealed = cipher.encrypt("483920");
    for (const cut of [0, 1, 5, 16, 20, sealed.length - 2])
      expect(() => cipher.decrypt(sealed.slice(0, cut))).toThrow();
    for (const text of [`${sealed}AAAA`, "483920", "A".repeat(60), "{}"]) expect(() => cipher.decrypt(text)).toThrow();
  });

  test("cannot be decrypted with another secret", () => {
    expect(() => keysOf(OTHER_SECRET).cipher.decrypt(cipher.encrypt("483920"))).toThrow();
    expect(() => cipher.decrypt(keysOf(OTHER_SECRET).cipher.encrypt("483920"))).toThrow();
  });
});

describe("keysOf() mac", () => {
  const { mac } = keysOf(SECRET);

  test("is HMAC-SHA-256 under a separate key, the same after a restart", () => {
    const key = Buffer.from(hkdfSync("sha256", SECRET, "breachbell", "mac", 32));
    expect(mac("code", "483920")).toBe(createHmac("sha256", key).update("code\u0000483920").digest("base64url"));
    expect(keysOf(SECRET).mac("code", "483920")).toBe(mac("code", "483920"));
  });

  test("differs by purpose, by value and by secret", () => {
    const macs = [mac("code", "483920"), mac("unsubscribe", "483920"), mac("code", "483921"), mac("", "483920")];
    expect(new Set([...macs, keysOf(OTHER_SECRET).mac("code", "483920")]).size).toBe(5);
  });

  test("separates purpose and value", () => {
    expect(mac("ab", "c")).not.toBe(mac("a", "bc"));
    expect(mac("code", "1")).not.toBe(mac("code1", ""));
  });
});

describe("a generated secret", () => {
  const root = mkdtempSync(join(tmpdir(), "breachbell-secret-"));
  afterAll(() => rmSync(root, { recursive: true }));
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  test("is created once, in a folder and a file that only the owner can read", () => {
    const dataDir = join(root, "new/data");
    expect(readSecret(dataDir)).toBeUndefined();
    const secret = makeSecret(dataDir);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(readSecret(dataDir)).toBe(secret);
    expect(() => makeSecret(dataDir)).toThrow("EEXIST");
    expect(readFileSync(join(dataDir, "secret.key"), "utf8")).toBe(`${secret}\n`);
    expect(modeOf(join(dataDir, "secret.key"))).toBe(0o600);
    expect(modeOf(dataDir)).toBe(0o700);
    expect(makeSecret(join(root, "other"))).not.toBe(secret);
  });

  test("is rejected when its file is empty or truncated", () => {
    for (const left of ["", "\n", "short\n"]) {
      writeFileSync(join(root, "secret.key"), left);
      expect(() => readSecret(root)).toThrow("shorter than 32 characters");
    }
  });
});
