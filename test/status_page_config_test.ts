import { expect, test } from "bun:test";
import { loadConfig } from "../src/config/config.ts";

const load = (STATUS_PAGE_URL: string) => loadConfig({ STATUS_PAGE_URL }, () => "");

test.each([
  ["https://status.breachbell.example", "https://status.breachbell.example/"],
  [" https://example.org/breachbell?lang=en ", "https://example.org/breachbell?lang=en"],
  ["", undefined],
])("STATUS_PAGE_URL=%p is accepted", (given, expected) => {
  const loaded = load(given);
  expect(loaded.ok && loaded.config.statusPageUrl).toBe(expected as string);
});

test.each([
  "http://status.example.org",
  "javascript:alert(1)",
  "status.example.org",
  "https://",
  "https://operator:S3CR3T@status.example.org",
  "https://operator@status.example.org",
])("STATUS_PAGE_URL=%p is rejected, without repeating it", (given) => {
  expect(load(given)).toEqual({
    ok: false,
    problems: [
      "STATUS_PAGE_URL must be an https address without a password, such as https://status.breachbell.example",
    ],
  });
});
