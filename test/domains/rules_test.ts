import { describe, expect, test } from "bun:test";
import { leakerOf } from "../../src/domains/leaker.ts";
import { isPublicProvider } from "../../src/domains/public_providers.ts";
import { isRole } from "../../src/domains/role_mailboxes.ts";
import { normaliseDomain } from "../../src/shared/email_address.ts";

describe("normaliseDomain()", () => {
  test.each([
    ["example.org", "example.org"],
    [" Example.ORG. ", "example.org"],
    ["@example.org", "example.org"],
    ["https://example.org/", "example.org"],
    ["mail.example.co.uk", "mail.example.co.uk"],
    ["müller.example", "xn--mller-kva.example"],
    ["XN--MLLER-KVA.example", "xn--mller-kva.example"],
    ["日本.example", "xn--wgv71a.example"],
  ])("%j is %j", (typed, name) => expect(normaliseDomain(typed)).toBe(name));

  test.each([
    ...[
      "",
      "localhost",
      "ada@example.org",
      "example",
      "192.0.2.1",
      "[::1]",
      "exa mple.org",
      "example..org",
      "-a.example",
    ],
    ...["https://example.org/path", "example.org:8080", "*.example.org", "a".repeat(400), `${"a.".repeat(130)}org`],
    "ex\0ample.org",
  ])("%j is no domain", (typed) => expect(normaliseDomain(typed)).toBeUndefined());
});

test.each(["gmail.com", "hotmail.co.uk", "yahoo.com.br", "web.de", "laposte.net", "libero.it", "ada.fastmail.com"])(
  "%s gives mailboxes to the public",
  (name) => expect(isPublicProvider(name)).toBe(true),
);
test.each(["example.org", "mygmail.com", "gmail.com.example.org", "hotmail-shop.com", "outlook.example"])(
  "%s is nobody's provider",
  (name) => expect(isPublicProvider(name)).toBe(false),
);

test.each(["info", "sales", "sales.de", "info+shop", "buchhaltung", "comptabilite", "segreteria"])(
  "%s@ is a role",
  (alias) => expect(isRole(alias)).toBe(true),
);
test.each(["dev.patel", "sales.ana", "list_friedrich", "ada", "anna.meier", "information-desk2", "salesman", "adobe"])(
  "%s@ is no role",
  (alias) => expect(isRole(alias)).toBe(false),
);

describe("leakerOf()", () => {
  const adobe = { name: "Adobe", title: "Adobe", domain: "adobe.com" };
  const shop = { name: "ShopA", title: "Shop A", domain: "www.shop-a.co.uk" };
  const list = { name: "Collection1", title: "Collection #1", domain: "" };

  test.each([
    ["adobe", "Adobe"],
    ["adobe2013", "Adobe"],
    ["ada+adobe", "Adobe"],
    ["shop-a", "ShopA"],
    ["shopa", "ShopA"],
    ["shop.a", "ShopA"],
    ["anna.meier", undefined],
    ["ad", undefined],
    ["com", undefined],
  ])("%s@ was made for %s", (alias, name) => expect(leakerOf(alias, [list, adobe, shop])).toBe(name));
});
