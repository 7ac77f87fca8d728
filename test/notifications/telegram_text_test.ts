import { describe, expect, test } from "bun:test";
import { updateOf } from "../../src/notifications/adapters/channels/telegram/telegram_model.ts";
import { telegramOutcome } from "../../src/notifications/adapters/channels/telegram/telegram_outcome.ts";
import { MAX_TEXT, telegramText } from "../../src/notifications/adapters/channels/telegram/telegram_text.ts";
import { type ButtonAction, buttonData, buttonOf } from "../../src/notifications/telegram/telegram_token.ts";
import { keys } from "./post_office.ts";
import { content } from "./sample_mail.ts";

describe("A message for Telegram", () => {
  test("escapes every value, and otherwise consists of Telegram's few tags", () => {
    const text = telegramText({
      ...content,
      heading: '<script>alert("x")</script> & co',
      blocks: [
        { kind: "facts", facts: [{ label: "A<b>", value: "1 < 2 && 3 > 2" }] },
        { kind: "tags", label: "Data", tags: ["<i>", "&amp;"] },
        { kind: "breaches", label: "Breaches", breaches: [{ title: "</b>", facts: [], badges: ["<u>"] }] },
      ],
    });
    expect(text).toContain("&lt;script&gt;");
    expect(text.replaceAll(/<\/?[bi]>/g, "")).not.toMatch(/[<>]/);
    expect(text).toContain("&amp;amp;");
  });

  test("respects Telegram's length limit by whole parts, and keeps its end", () => {
    const blocks = Array.from({ length: 200 }, (_, index) => ({
      kind: "paragraph" as const,
      text: `${index} ${"<&> 🙂 ".repeat(50)}`,
    }));
    const text = telegramText({ ...content, blocks, footer: ["Why you get this"] });
    const read = text.replaceAll(/<[^>]*>/g, "").replaceAll(/&(?:amp|lt|gt);/g, "x");
    expect(read.length).toBeLessThanOrEqual(MAX_TEXT);
    expect(read.length).toBeGreaterThan(MAX_TEXT / 2);
    expect(read).toEndWith("Why you get this");
    expect(read).toContain("…");
    expect(read.isWellFormed()).toBe(true);
  });
});

describe("A button", () => {
  const id = "0195f2b0-0000-7000-8000-00000000a1e7";
  test.each(["handle", "stop"] as ButtonAction[])(
    "%s is parsed back from what was sent, for its chat only",
    (action) => {
      const data = buttonData(keys.mac, "7000000001", { action, id, version: 41 });
      expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
      expect(buttonOf(keys.mac, "7000000001", data)).toEqual({ action, id, version: 41 });
      expect(buttonOf(keys.mac, "7000000002", data)).toBeUndefined();
      for (const [index] of [...data].entries()) {
        const forged = `${data.slice(0, index)}${data[index] === "x" ? "y" : "x"}${data.slice(index + 1)}`;
        expect(buttonOf(keys.mac, "7000000001", forged)).toBeUndefined();
      }
    },
  );
});

describe("Telegram's responses", () => {
  const refused = (status: number, description: string, retryAfterMs?: number) =>
    telegramOutcome({ kind: "refused", status, description, retryAfterMs, migrateTo: undefined });

  test.each([
    [400, "Bad Request: chat not found"],
    [403, "Forbidden: bot was blocked by the user"],
    [403, "Forbidden: user is deactivated"],
    [403, "Forbidden: bot can't initiate conversation with a user"],
    [403, "Forbidden: bot was kicked from the group chat"],
  ])("%d %s: the contact is disabled", (status, description) => {
    expect(refused(status, description)).toMatchObject({ kind: "dead", cause: "recipient", forGood: true });
  });

  test.each([
    [401, "Unauthorized"],
    [404, "Not Found"],
    [409, "Conflict"],
    [421, "Misdirected Request: unallowed token specified"],
  ])("%d %s: the operator has to act", (status, description) => {
    expect(refused(status, description).kind).toBe("misconfigured");
  });

  test("too long or malformed: this message is rejected, not the contact", () => {
    expect(refused(400, "Bad Request: can't parse entities")).toMatchObject({ kind: "dead", cause: "message" });
  });

  test("429 pauses the channel for as long as Telegram says", () => {
    expect(refused(429, "Too Many Requests: retry after 7", 7000)).toMatchObject({
      kind: "retry",
      scope: "channel",
      afterMs: 7000,
    });
  });

  test("an unreadable response to a send may mean success", () => {
    expect(telegramOutcome({ kind: "ok", result: {} })).toMatchObject({ kind: "retry", inDoubt: true });
    expect(telegramOutcome({ kind: "lost", reason: "x", inDoubt: false })).not.toHaveProperty("inDoubt");
  });
});

describe("Telegram's updates", () => {
  const from = { id: 7_000_000_001, first_name: "Bob", last_name: "Miller" };
  const privately = { chat: { id: 7_000_000_001, type: "private" }, from };

  test.each([
    ["/start abc-_1", { kind: "start", payload: "abc-_1" }],
    ["/start@breachbell_bot abc", { kind: "start", payload: "abc" }],
    ["/start", { kind: "start", payload: undefined }],
    ["/STOP", { kind: "help" }],
    ["/stop", { kind: "stop" }],
    ["/status now", { kind: "status" }],
    ["", { kind: "help" }],
  ])("%p is parsed", (text, expected) => {
    const read = updateOf({ update_id: 1, message: { ...privately, text } });
    expect(read?.update).toMatchObject({ ...expected, chat: { id: "7000000001", name: "Bob Miller" } });
  });

  test.each([null, 3, "x", {}, { update_id: "1" }, { update_id: 1, message: 5 }])("%p is ignored", (json) => {
    expect(updateOf(json)?.update).toBeUndefined();
  });
});
