import { expect, test } from "bun:test";
import { byWeight } from "../../src/breaches/traces/site_weight.ts";

test("sites are sorted by what their account gives away, and alphabetically within a class", () => {
  const sorted = [
    ...["accounts.google.com", "login.live.com"],
    ...["paypal.com", "www.revolut.com"],
    ...["dropbox.com", "github.com"],
    ...["amazon.de", "linkedin.com"],
    ...["forum.example.net", "zoo.example"],
  ];
  expect(byWeight(sorted.toReversed())).toEqual(sorted);
  expect(byWeight(sorted)).toEqual(sorted);
});

test("a name matches itself and its subdomains, never a part of a label or a longer name", () => {
  const strangers = ["google.com.evil.example", "notgoogle.com", "paypal.com-login.example"];
  expect(byWeight([...strangers, "paypal.com:8443", "mail.google.com"])).toEqual([
    ...["mail.google.com", "paypal.com:8443"],
    ...strangers,
  ]);
});

test("the longest known name decides, so that a service may weigh more or less than its owner's other sites", () => {
  expect(byWeight(["amazon.com", "zz.aws.amazon.com"])).toEqual(["zz.aws.amazon.com", "amazon.com"]);
});

test("odd names are kept as they are, at the end", () => {
  expect(byWeight(["..", ":", "a.", "paypal.com"])).toEqual(["paypal.com", "..", ":", "a."]);
});
