import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { contactLists, contactsOf, listsOf, MAX_CONTACTS } from "../../src/shared/contacts.ts";

const KEY = "uQiRzpo4DXghDmr9QzzfQu27cmVRsG";
const messages = (input: unknown) => {
  const { success, issues } = v.safeParse(contactLists, input);
  return success ? [] : issues.map(({ message }) => message);
};

describe("contactLists", () => {
  test("takes each contact once, in the form in which it is stored, however it was typed", () => {
    const typed = { email: [" A@Example.com ", "a@example.com"], telegram: ["@Alice_M", "alice_m "], pushover: [KEY] };
    expect(v.parse(contactLists, typed)).toEqual({ email: ["a@example.com"], telegram: ["alice_m"], pushover: [KEY] });
    expect(v.parse(contactLists, {})).toEqual({ email: [], telegram: [], pushover: [] });
  });

  test.each([
    ["email", "alice"],
    ["email", "a@example.com\r\nBcc: b@example.com"],
    ["telegram", "four"],
    ["telegram", "1alice"],
    ["telegram", "@@alice"],
    ["telegram", `a${"b".repeat(32)}`],
    ["telegram", "alice\0m"],
    ["pushover", KEY.slice(1)],
    ["pushover", `${KEY}x`],
    ["pushover", `${KEY.slice(1)}-`],
    ["email", 7],
  ])("refuses as %s: %p", (channel, value) => {
    expect(messages({ [channel]: [value] })).toEqual(["CONTACT_INVALID"]);
  });

  test("takes ten of a channel and no more, and no channel that it does not know", () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `alice_${i}`);
    expect(messages({ telegram: names(MAX_CONTACTS) })).toEqual([]);
    expect(messages({ telegram: names(MAX_CONTACTS + 1) })).toEqual(["TOO_MANY_CONTACTS"]);
    expect(messages({ sms: ["1"] })).toHaveLength(1);
  });

  test("contactsOf() and listsOf() undo each other", () => {
    const lists = { email: ["a@example.com", "b@example.com"], telegram: ["alice_m"], pushover: [KEY] };
    expect(listsOf(contactsOf(lists))).toEqual(lists);
    expect(contactsOf(lists)[2]).toEqual({ channel: "telegram", value: "alice_m" });
  });
});
