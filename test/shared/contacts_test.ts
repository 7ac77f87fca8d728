import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { contactLists, contactsOf, contactValue, listsOf, MAX_CONTACTS } from "../../src/shared/contacts.ts";

const NONE = listsOf([]);
const KEY = "uQiRzpo4DXghDmr9QzzfQu27cmVRsG";
const HOOK = "https://hooks.example/in";
const messages = (input: unknown) => {
  const { success, issues } = v.safeParse(contactLists, input);
  return success ? [] : issues.map(({ message }) => message);
};

describe("contactLists", () => {
  test("accepts each contact once, in its normalised form", () => {
    const typed = { email: [" A@Example.com ", "a@example.com"], telegram: ["@Alice_M", "alice_m "], pushover: [KEY] };
    expect(v.parse(contactLists, typed)).toEqual({
      ...NONE,
      email: ["a@example.com"],
      telegram: ["alice_m"],
      pushover: [KEY],
    });
    expect(v.parse(contactLists, {})).toEqual(NONE);
  });

  test.each([
    ["telegram", "@News", "news"],
    ["telegram", "\u200ealice_m\u202c", "alice_m"],
    ["ntfy", " alice-Topic_1 ", "alice-Topic_1"],
    ["ntfy", "HTTPS://NTFY.sh/Topic", "https://ntfy.sh/Topic"],
    ["ntfy", "https://ntfy.example:8443/topic", "https://ntfy.example:8443/topic"],
    ["webhook", "https://Hooks.Example/in?to=Alice", "https://hooks.example/in?to=Alice"],
    ["webhook", "https://hooks.example", "https://hooks.example/"],
    ["webpush", " firefox-linux-3fa94c1e ", "firefox-linux-3fa94c1e"],
    ["webhook", "https://hooks.example:443/in", "https://hooks.example/in"],
    // Equivalent notations of an IP address are the same address.
    ["webhook", "https://0x7f.1/", "https://127.0.0.1/"],
    ["webhook", "https://2130706433/", "https://127.0.0.1/"],
    ["webhook", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/"],
  ] as const)("stores as %s: %p as %p", (channel, typed, stored) => {
    expect(contactValue(channel, typed)).toBe(stored);
    expect(contactValue(channel, stored)).toBe(stored);
  });

  test.each([
    ["ntfy", "with space"],
    ["ntfy", "a".repeat(65)],
    ["ntfy", "http://ntfy.sh/topic"],
    ["ntfy", "https://ntfy.sh/"],
    ["ntfy", "https://ntfy.sh/a/b"],
    ["ntfy", "https://ntfy.sh/topic?auth=x"],
    ["ntfy", "https://user:secret@ntfy.sh/topic"],
    ["webhook", "http://hooks.example/in"],
    ["webhook", "hooks.example/in"],
    ["webpush", "Firefox on Linux"],
    ["webpush", "a".repeat(65)],
    ["webpush", "https://push.example/x"],
    ["webhook", "https://user:secret@hooks.example/in"],
    ["webhook", "https://hooks.example/in#part"],
    ["webhook", "ftp://hooks.example/in"],
    ["webhook", `https://hooks.example/${"a".repeat(1000)}`],
    ["email", "alice"],
    ["email", "a@example.com\r\nBcc: b@example.com"],
    ["telegram", "abc"],
    ["telegram", "1alice"],
    ["telegram", "@@alice"],
    ["telegram", "https://evil.example/alice"],
    ["telegram", "https://t.me/joinchat/abcdef"],
    ["telegram", "https://t.me/"],
    ["telegram", `a${"b".repeat(32)}`],
    ["telegram", "alice\0m"],
    ["pushover", KEY.slice(1)],
    ["pushover", `${KEY}x`],
    ["pushover", `${KEY.slice(1)}-`],
    ["email", 7],
  ])("rejects as %s: %p", (channel, value) => {
    expect(messages({ [channel]: [value] })).toEqual(["CONTACT_INVALID"]);
  });

  test("accepts at most ten of a channel, and no unknown channel", () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `alice_${i}`);
    expect(messages({ telegram: names(MAX_CONTACTS) })).toEqual([]);
    expect(messages({ telegram: names(MAX_CONTACTS + 1) })).toEqual(["TOO_MANY_CONTACTS"]);
    expect(messages({ sms: ["1"] })).toHaveLength(1);
  });

  test("contactsOf() and listsOf() are inverses", () => {
    const lists = { ...NONE, email: ["a@example.com", "b@example.com"], telegram: ["alice_m"], webhook: [HOOK] };
    expect(listsOf(contactsOf(lists))).toEqual(lists);
    expect(contactsOf(lists)[2]).toEqual({ channel: "telegram", value: "alice_m" });
  });

  test.each(["https://t.me/Alice_M", "http://t.me/alice_m/", "t.me/alice_m", " https://T.me/alice_m "])(
    "takes a pasted link as a Telegram username: %p",
    (typed) => {
      expect(contactValue("telegram", typed)).toBe("alice_m");
    },
  );
});
