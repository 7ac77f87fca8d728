import { describe, expect, test } from "bun:test";
import { isNamedAfter } from "../../src/shared/aliases.ts";

const ADOBE = { title: "Adobe", domain: "adobe.com", manyServices: false };
const BBC = { title: "BBC iPlayer", domain: "www.bbc.co.uk", manyServices: false };
const OWN = "ada@example.org";

describe("isNamedAfter()", () => {
  test.each([
    ["ada+adobe@example.org", ADOBE],
    ["ada+Adobe@example.org".toLowerCase(), ADOBE],
    ["ada+adobe.com@example.org", ADOBE],
    ["ada+shop.adobe@example.org", ADOBE],
    ["adobe.x7k2@simplelogin.example", ADOBE],
    ["adobe@ada.addy.example", ADOBE],
    ["ada+bbc@example.org", BBC],
    ["ada+bbciplayer@example.org", BBC],
    ["ada+adobe@example.org", { ...ADOBE, title: "", domain: "forum.adobe.com" }],
  ])("%p is", (alias, service) => expect(isNamedAfter(alias, OWN, service)).toBe(true));

  test.each([
    ["ada+shop@example.org", ADOBE],
    ["ada+adobes@example.org", ADOBE],
    ["ada+notadobe@example.org", ADOBE],
    ["ada+com@example.org", ADOBE],
    ["ada+co@example.org", BBC],
    ["ada+ad@example.org", { title: "Ad", domain: "ad.example", manyServices: false }],
    // It is the person's own name that the service has, too.
    ["ada@alias.example", { title: "Ada", domain: "ada.example", manyServices: false }],
    ["ada.x1@alias.example", { title: "Ada", domain: "ada.example", manyServices: false }],
    ["ada+forum@example.org", { ...ADOBE, domain: "forum.adobe.com" }],
    ["ada+behance@example.org", { ...ADOBE, domain: "behance.adobe.com" }],
    ["ada+mail@example.org", { title: "Mail", domain: "mail.ru", manyServices: false }],
    ["shop@ada.addy.example", { title: "Shop", domain: "shop.example", manyServices: false }],
    [OWN, ADOBE],
    ["adobe@example.org", { ...ADOBE, manyServices: true }],
    ["+@example.org", ADOBE],
    ["ada+@example.org", { title: "", domain: "", manyServices: false }],
  ])("%p is not", (alias, service) => expect(isNamedAfter(alias, OWN, service)).toBe(false));
});
