import { describe, expect, test } from "bun:test";
import { CspEvaluator } from "csp_evaluator/dist/evaluator.js";
import { Severity } from "csp_evaluator/dist/finding.js";
import { CspParser } from "csp_evaluator/dist/parser.js";
import { packedDocument } from "../../src/http/document.ts";
import { adaptersOn, composed, memoryGround } from "../support/world.ts";

const NONCE = "0123456789abcdef0123456789abcdef";
/** Like the pages: with their own script and styles, and the nonce of the library's styles. */
const PAGE = '<style>p{}</style><script>go()</script><meta name="style-nonce" content="__STYLE_NONCE__">';

/** The findings of Google's evaluator, except for mere information. */
function against(policy: string): string[] {
  const findings = new CspEvaluator(new CspParser(policy).csp).evaluate();
  return findings
    .filter(({ severity }) => severity < Severity.INFO)
    .map(({ severity, directive, value }) => `${Severity[severity]} ${directive} ${value ?? ""}`.trim());
}

describe("csp_evaluator", () => {
  // It cannot know that we host neither JSONP callbacks nor user uploads.
  const MAYBE = "MEDIUM_MAYBE script-src 'self'";

  test("finds nothing in the policy of pages", () => {
    const policy = packedDocument(PAGE).policy(NONCE);
    expect(policy).toMatch(/script-src 'self' 'sha256-.*style-src 'self' 'nonce-.*' 'sha256-/);
    expect(against(policy)).toEqual([MAYBE]);
  });

  test.each([
    ["/api/me", []],
    ["/api/instance", []],
    ["/api/nothing", []],
    ["/nothing.js", [MAYBE]],
  ])("finds nothing in that of %s", async (path, found) => {
    const { app } = composed(adaptersOn(memoryGround()));
    const policy = (await app.request(path)).headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(against(policy)).toEqual(found);
  });

  test.each([
    ["script-src 'unsafe-inline'; object-src 'none'", "HIGH script-src 'unsafe-inline'"],
    ["script-src *; object-src 'none'", "HIGH script-src *"],
    ["script-src 'self' https://ajax.googleapis.com; object-src 'none'", "HIGH script-src https://ajax.googleapis.com"],
    ["script-src 'self'", "HIGH object-src"],
  ])("detects %s", (policy, wrong) => {
    expect(against(policy)).toContain(wrong);
  });
});
