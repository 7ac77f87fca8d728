import { describe, expect, test } from "bun:test";
import { criticalCss } from "../../web/build/critical_css.ts";

const PAGE = '<div class="card wide" data-size="sm" data-style="--gap:var(--a)"><p class="lead"></p></div>';
const of = (css: string) => criticalCss(css, PAGE);

describe("criticalCss()", () => {
  test.each([
    ".card{color:red}",
    ".card .lead:hover{color:red}",
    ".card[data-size=sm]{color:red}",
    ".card:not(.gone):not([data-error]){color:red}",
    ".gone,.lead{color:red}",
    "html,body{margin:0}",
    '[data-mantine-color-scheme="dark"] .card{color:red}',
    "@layer a,b;",
    "@media (min-width:10em){.card{color:red}}",
    "@layer a{@supports (top:0){.lead{top:0}}}",
    '.lead:before{content:"}.x{"}',
  ])("keeps %s", (css) => {
    expect(of(css)).toBe(css);
  });

  test.each([
    ".gone{color:red}",
    ".card .gone{color:red}",
    ".card[data-error]{color:red}",
    "@media print{.card{color:red}}",
    "@media (min-width:10em){.gone{color:red}}",
    "@keyframes turn{0%{top:0}to{top:1px}}",
    "@font-face{font-family:x}",
  ])("omits %s", (css) => {
    expect(of(css)).toBe("");
  });

  test("keeps only variables that are used, directly or indirectly, also by the page", () => {
    const css = ":root{--a:var(--b);--b:1px;--c:2px;--d:var(--e);--e:3px}.card{margin:var(--c)}";
    expect(of(css)).toBe(":root{--a:var(--b);--b:1px;--c:2px;}.card{margin:var(--c)}");
  });
});
