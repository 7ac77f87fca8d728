import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sanitizedDescriptions } from "../../src/breaches/adapters/sources/sanitize_html.ts";
import { MARKUP_ATTACKS } from "../support/markup_attacks.ts";

const { html } = sanitizedDescriptions();

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };
/** What the sanitized markup shows, in one line. */
function text(markup: string): string {
  return html(markup)
    .replaceAll(/<br \/>|<\/(?:p|li)>/g, " ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(lt|gt|quot|amp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The only output permitted, character by character. */
const HARMLESS =
  /^(?:[^<>]|<\/?(?:em|strong|b|i|p|ul|ol|li)>|<br \/>|<a href="https:\/\/[^"<>\s@/?#]+(?:[/?#][^"<>\s]*)?" rel="noopener noreferrer nofollow" target="_blank">|<\/a>)*$/;

type Entry = { Name: string; Description: string };
const catalogue: Entry[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../src/breaches/adapters/sources/bundled/bundled_catalogue.json"), "utf8"),
);

/** The text of well-formed markup, parsed independently of the product. */
function wordsOf(markup: string): string {
  return markup
    .replaceAll(/<\/?(?:a|em|b|i)(?: [^>]*)?>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

describe("descriptions", () => {
  test("all 1,017 of the catalogue keep every word, and their emphasis", () => {
    expect(catalogue).toHaveLength(1017);
    for (const { Name, Description } of catalogue) {
      const clean = html(Description);
      expect([Name, clean]).toEqual([Name, expect.stringMatching(HARMLESS)]);
      expect([Name, text(Description)]).toEqual([Name, wordsOf(Description)]);
      for (const tag of ["em", "b", "i"])
        expect([Name, clean.split(`<${tag}>`).length]).toEqual([Name, Description.split(`<${tag}>`).length]);
    }
  });

  test("of 1,245 links all with https are kept with their address, and no other", () => {
    // Some attribute values are unquoted.
    const hrefsOf = (markup: string) =>
      [...markup.matchAll(/<a\s[^>]*?href="?([^"\s>]*)/g)].map(([, href = ""]) => href);
    let kept = 0;
    for (const { Name, Description } of catalogue) {
      const secure = hrefsOf(Description).filter((href) => href.trim().startsWith("https://"));
      const now = hrefsOf(html(Description)).map((href) => href.replaceAll("&amp;", "&"));
      expect([Name, now]).toEqual([Name, secure.map((href) => new URL(href).href)]);
      kept += now.length;
    }
    expect(kept).toBeGreaterThan(1000);
  });

  test.each(MARKUP_ATTACKS)("nothing of %p can run, load or mislead", (attack) => {
    for (const markup of [attack, `In 2019, <em>${attack}</em> was breached`, `<p title='${attack}'>${attack}`]) {
      expect(html(markup)).toMatch(HARMLESS);
      expect(html(html(markup))).toMatch(HARMLESS);
    }
  });

  test("text about markup stays readable, and is rendered as text", () => {
    expect(html('1 < 2 & <b>"3"</b> &gt; <script>2</script>')).toBe('1 &lt; 2 &amp; <b>"3"</b> &gt;');
    expect(text("1 &lt; 2 &amp;amp; <b>&quot;3&quot;</b> &#8217;")).toBe('1 < 2 &amp; "3" ’');
    expect(text("&lt;script&gt;")).toBe("<script>");
  });

  test("paragraphs, breaks and list items are kept", () => {
    const markup = "<p>One  \n two</p><p>Three<br>four</p><ul><li>a</li>\n <li>b</li></ul>";
    expect(html(markup)).toBe(markup.replace("<br>", "<br />"));
  });

  test("an empty description stays empty, and a very long one is truncated", () => {
    expect([html(""), html(" \n ")]).toEqual(["", ""]);
    expect(html("x".repeat(100_000)).length).toBe(20_000);
  });
});
