import { beforeEach, describe, expect, test } from "bun:test";
import { knownDevices } from "../../src/identity/sign_in/known_device.ts";
import { keysOf } from "../../src/runtime/crypto.ts";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-11-20T12:00:00Z");
let time = START;
const world = { newId: () => crypto.randomUUID(), now: () => new Date(time) };
const { idFor, remember } = knownDevices({ ...keysOf("a secret of at least thirty-two characters"), ...world });
const elsewhere = knownDevices({ ...keysOf("another secret, of somebody else's installation"), ...world });

beforeEach(() => {
  time = START;
});

describe("knownDevices()", () => {
  test("idFor() recognises the account that logged in on this browser, and no other", () => {
    const cookie = remember(undefined, "alice");
    expect(idFor(cookie, "alice")).toBeString();
    expect(idFor(cookie, "bob")).toBeUndefined();
    expect(idFor(undefined, "alice")).toBeUndefined();
    expect(idFor(remember(undefined, "alice"), "alice")).not.toBe(idFor(cookie, "alice"));
  });

  test("remember() keeps the browser's id and its other accounts, each once", () => {
    const first = remember(undefined, "alice");
    const second = remember(first, "bob");
    expect(idFor(second, "alice")).toBe(idFor(first, "alice") ?? "");
    expect(idFor(second, "bob")).toBe(idFor(first, "alice") ?? "");
    expect(remember(remember(second, "alice"), "bob")).toBe(second);
  });

  test("remember() drops the least recent account beyond five, and fits into a cookie", () => {
    let cookie = remember(undefined, "alice");
    for (let i = 0; i < 4; i++) cookie = remember(cookie, `account-${i}`);
    cookie = remember(cookie, "alice");
    cookie = remember(cookie, "account-4");
    expect(idFor(cookie, "account-0")).toBeUndefined();
    for (const account of ["alice", "account-1", "account-4"]) expect(idFor(cookie, account)).toBeString();
    expect(cookie.length).toBeLessThan(400);
    expect(cookie).toMatch(/^[\w.~-]+$/);
  });

  test("idFor() recognises the account for a year after its last log-in", () => {
    const cookie = remember(undefined, "alice");
    time += 364 * DAY_MS;
    expect(idFor(cookie, "alice")).toBeString();
    const renewed = remember(cookie, "alice");
    time += DAY_MS;
    expect(idFor(cookie, "alice")).toBeUndefined();
    expect(idFor(renewed, "alice")).toBe(cookie.split(".")[0] ?? "");
    expect(renewed.split(".")).toHaveLength(3);
  });

  const genuine = remember(undefined, "alice");
  const [id = "", signature = "", mark = ""] = genuine.split(".");
  const [otherId = "", otherSignature = "", otherMark = ""] = remember(undefined, "alice").split(".");
  const [day = "", hash = ""] = mark.split("~");
  const swapped = hash.startsWith("A") ? "B" : "A";
  test.each([
    ["nothing", ""],
    ["an id alone", id],
    ["an id without a mark", `${id}.${signature}`],
    ["an id without its signature", `${id}.${mark}`],
    ["a chosen id with made-up marks", `${crypto.randomUUID()}.${mark}.${mark}`],
    ["the signature of another browser", `${id}.${otherSignature}.${mark}`],
    ["the mark of another browser", `${id}.${signature}.${otherMark}`],
    ["another browser's id before its own marks", `${otherId}.${signature}.${mark}`],
    ["a modified mark", `${id}.${signature}.${day}~${swapped}${hash.slice(1)}`],
    ["a truncated mark", `${id}.${signature}.${mark.slice(0, -1)}`],
    ["a mark for another purpose", `${id}.${signature}.${day}~${signature}`],
    ["a mark with a later day", `${id}.${signature}.${Number(day) + 1}~${hash}`],
    ["a mark without its day", `${id}.${signature}.${hash}`],
    ["the cookie of another installation", elsewhere.remember(undefined, "alice")],
    ["a long text", "x".repeat(4000)],
    ["many marks before its own", [id, signature, ...Array(5).fill(otherMark), mark].join(".")],
  ])("idFor() rejects %s", (_, cookie) => {
    expect(idFor(cookie, "alice")).toBeUndefined();
  });

  test.each([
    ["a chosen id", `${crypto.randomUUID()}.${mark}`],
    ["a chosen id with another id's signature", `${crypto.randomUUID()}.${signature}.${mark}`],
    ["the cookie of another installation", elsewhere.remember(undefined, "alice")],
  ])("remember() never adopts %s", (_, planted) => {
    const cookie = remember(planted, "alice");
    const [adopted = "", , ...marks] = cookie.split(".");
    expect(planted).not.toContain(adopted);
    expect(marks).toHaveLength(1);
    expect(idFor(cookie, "alice")).toBe(adopted);
  });

  test("remember() drops malformed marks", () => {
    const cookie = remember(`${id}.${signature}.short.<script>.${mark}`, "bob");
    expect(cookie.split(".")).toHaveLength(4);
    expect(idFor(cookie, "alice")).toBe(id);
  });
});
