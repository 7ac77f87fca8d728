import { describe, expect, test } from "bun:test";
import { done, facts, failed, table, text } from "../../src/cli/answer.ts";
import { barOf, cut, display, fit, harmless, linesOf } from "../../src/cli/terminal.ts";
import { ago, bytes, duration } from "../../src/cli/words.ts";

function screen(more: { columns?: number; colours?: boolean; isLive?: boolean } = {}) {
  const [out, error]: [string[], string[]] = [[], []];
  const terminal = {
    out: (part: string) => void out.push(part),
    error: (part: string) => void error.push(part),
    columns: more.columns,
    colours: more.colours ?? false,
    isLive: more.isLive ?? false,
  };
  return { terminal, out: () => out.join(""), error: () => error.join("") };
}
const say = { json: false, yes: false, quiet: false };

describe("linesOf()", () => {
  const people = table(
    ["NAME", "ADDRESS"],
    [
      ["Ada", "a-rather-long-address@example.com"],
      ["Bo", "b@example.com"],
    ],
    "Nobody.",
  );

  test("a table is truncated at the terminal's width, and otherwise not", () => {
    const narrow = linesOf(people, screen({ columns: 24 }).terminal);
    expect(narrow).toEqual(["NAME  ADDRESS", "Ada   a-rather-long-add…", "Bo    b@example.com"]);
    expect(linesOf(people, screen().terminal)[1]).toBe("Ada   a-rather-long-address@example.com");
    expect(linesOf({ ...people, rows: [] } as typeof people, screen().terminal)).toEqual(["Nobody."]);
  });

  test("colours are used only where they are wanted", () => {
    expect(linesOf(text("bad", "bad"), screen({ colours: true }).terminal)).toEqual(["\u001b[31mbad\u001b[0m"]);
    expect(linesOf(text("bad", "bad"), screen().terminal)).toEqual(["bad"]);
  });

  test("external text cannot control the terminal", () => {
    const [line] = linesOf(facts([["name", "\u001b]0;owned\u0007\u202eevil"]]), screen().terminal);
    expect(line).toBe("name  \ufffd]0;owned\ufffd\ufffdevil");
    expect(harmless("a\nb\r")).toBe("a\nb\ufffd");
  });

  test("wide characters count twice", () => {
    expect(cut("日本語の名前", 6)).toBe("日本…");
    expect(fit([40, 5], 30)).toEqual([23, 5]);
  });
});

describe("display()", () => {
  test("--json prints one document and nothing else, even on failure", () => {
    const json = { ...say, json: true };
    const good = screen();
    const shown = display(good.terminal, json);
    shown.tell("Working");
    shown.progress({ done: 1, says: "one" });
    shown.end("scan now", done({ sources: [] }, text("words")));
    expect(JSON.parse(good.out())).toEqual({ ok: true, command: "scan now", data: { sources: [] } });
    const bad = screen();
    display(bad.terminal, json).end("scan", failed("NOT_WATCHED", "Nobody watches it"));
    expect(JSON.parse(bad.out())).toEqual({
      ok: false,
      command: "scan",
      data: null,
      error: { code: "NOT_WATCHED", message: "Nobody watches it" },
    });
    expect(bad.error()).toBe("");
  });

  test("--quiet prints nothing unless something is wrong", () => {
    const quiet = screen();
    display(quiet.terminal, { ...say, quiet: true }).end("x", done({}, text("fine")));
    expect([quiet.out(), quiet.error()]).toEqual(["", ""]);
    display(quiet.terminal, { ...say, quiet: true }).end("x", failed("NO", "It is broken"));
    expect(quiet.error()).toContain("It is broken");
  });

  test("progress is a bar on a terminal, and in a log one line, or one for each tenth of a known total", () => {
    const live = screen({ isLive: true, columns: 60 });
    const shown = display(live.terminal, say);
    shown.progress({ done: 5, total: 10, says: "5 lines" });
    shown.end("x", done({}, text("fine")));
    expect(live.error()).toContain("████████████░░░░░░░░░░░░  50 %  5 lines");
    expect(live.out()).toBe("fine\n");
    const plain = screen();
    const lines = display(plain.terminal, say);
    lines.progress({ done: 5, total: 10, says: "5 lines" });
    lines.progress({ done: 5, total: 10, says: "5 lines" });
    lines.progress({ done: 59, total: 100, says: "59 lines" });
    lines.progress({ done: 60, total: 100, says: "60 lines" });
    lines.progress({ done: 6, says: "wiped away", isFleeting: true });
    expect(plain.out()).toBe("  5 lines (50 %)\n  60 lines (60 %)\n");
    const unknown = screen();
    const one = display(unknown.terminal, say);
    for (const done of [1, 2, 3]) one.progress({ done, says: `${done} rows` });
    expect(unknown.out()).toBe("  1 rows\n");
    expect(barOf({ done: 3, says: "three" })).toBe("three");
  });
});

test("durations, sizes and counts are formatted", () => {
  expect([duration(59_000), duration(3_600_000), duration(200)]).toEqual(["59 seconds", "1 hour", "0 seconds"]);
  const now = new Date(1_000_000_000);
  expect([ago(now, now), ago(new Date(now.getTime() - 120_000), now)]).toEqual(["just now", "2 minutes ago"]);
  expect([bytes(0), bytes(1500), bytes(83_800_000_000)]).toEqual(["0 B", "1.5 kB", "83.8 GB"]);
});
