import { afterEach, beforeEach, expect, test } from "bun:test";
import { dropDrafts, hasDraft, keepDrafts, openDraft, takeDraft } from "../../web/forms/drafts.ts";
import { memoryStorage } from "./memory_storage.ts";

const ALICE = "alice@example.com";
const BOB = "bob@example.org";

let close: () => void = () => undefined;
beforeEach(() => {
  globalThis.sessionStorage = memoryStorage();
  globalThis.localStorage = memoryStorage();
});
afterEach(() => {
  close();
  Reflect.deleteProperty(globalThis, "sessionStorage");
});

test("keepDrafts() stores the input of open forms, to be restored once by the same account", () => {
  close = openDraft("update-track/a1", { account: ALICE, read: () => ({ paused: true }) });
  keepDrafts();
  close();
  expect(hasDraft("update-track/a1")).toBe(true);
  expect(hasDraft("update-track/a2")).toBe(false);
  expect(takeDraft("update-track/a1", ALICE)).toEqual({ paused: true });
  expect(takeDraft("update-track/a1", ALICE)).toBeUndefined();
  expect(sessionStorage.length).toBe(0);
});

test("keepDrafts() stores nothing of an untouched or closed form", () => {
  close = openDraft("new-track", { account: ALICE, read: () => undefined });
  openDraft("profile-edit", { account: ALICE, read: () => "typed" })();
  keepDrafts();
  expect(sessionStorage.length).toBe(0);
});

test("takeDraft() never returns another account's input, and deletes it", () => {
  close = openDraft("new-track", { account: ALICE, read: () => "typed" });
  keepDrafts();
  expect(takeDraft("new-track", BOB)).toBeUndefined();
  expect(sessionStorage.length).toBe(0);
});

test("dropDrafts() deletes other accounts' drafts", () => {
  close = openDraft("new-track", { account: ALICE, read: () => "typed" });
  keepDrafts();
  dropDrafts(ALICE);
  expect(hasDraft("new-track")).toBe(true);
  dropDrafts(BOB);
  expect(hasDraft("new-track")).toBe(false);
  expect(sessionStorage.length).toBe(0);
});
