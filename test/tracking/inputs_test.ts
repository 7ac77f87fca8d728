import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { listsOf, MAX_CONTACTS } from "../../src/shared/contacts.ts";
import { associationQuery, bulkInput, trackInput, updateInput } from "../../src/tracking/inputs.ts";
import { ALICE, aTrackInput } from "../support/builders.ts";

/** What the form sends: a list for each selected channel. */
const aForm = (more: object = {}) => ({ ...aTrackInput(), contacts: { email: [ALICE.address] }, ...more });

function codesOf(schema: v.GenericSchema, input: unknown): string[] {
  const result = v.safeParse(schema, input);
  return result.success ? [] : result.issues.map(({ message }) => message);
}

describe("trackInput", () => {
  test("returns the addresses normalised and deduplicated, and no contacts of unselected channels", () => {
    const typed = aForm({ address: " Alice@Example.COM " });
    const contacts = { email: ["BOB@example.net", "bob@EXAMPLE.net ", ALICE.address] };
    expect(v.parse(trackInput, { ...typed, contacts })).toEqual({
      address: ALICE.address,
      owner: true,
      language: "en",
      contacts: { ...listsOf([]), email: ["bob@example.net", ALICE.address] },
    });
  });

  const contacts = (email: unknown) => ({ ...aForm(), contacts: { email } });
  const withLists = (more: object) => ({ ...aForm(), contacts: { email: [ALICE.address], ...more } });
  const many = Array.from({ length: MAX_CONTACTS + 1 }, (_, number) => `alice+${number}@example.com`);
  test.each([
    ["no address", { ...aForm(), address: "" }, "ADDRESS_REQUIRED"],
    ["a blank address", { ...aForm(), address: "  " }, "ADDRESS_REQUIRED"],
    ["an address of another type", { ...aForm(), address: 5 }, "ADDRESS_REQUIRED"],
    ["an invalid address", { ...aForm(), address: "alice" }, "EMAIL_INVALID"],
    ["an over-long address", { ...aForm(), address: "a".repeat(100_000) }, "EMAIL_INVALID"],
    ["two addresses in one", { ...aForm(), address: "alice@example.com,bob@example.net" }, "EMAIL_INVALID"],
    ["no contacts", { ...aForm(), contacts: undefined }, "METHOD_REQUIRED"],
    ["no method", { ...aForm(), contacts: {} }, "METHOD_REQUIRED"],
    ["no contact", contacts([]), "EMAIL_CONTACT_REQUIRED"],
    ["a contact that is not an address", contacts(["alice@"]), "CONTACT_INVALID"],
    ["an empty contact", contacts([""]), "CONTACT_INVALID"],
    ["too many contacts", contacts(many), "TOO_MANY_CONTACTS"],
    ["no Telegram contact", { ...aForm(), contacts: { telegram: [] } }, "TELEGRAM_CONTACT_REQUIRED"],
    ["no Pushover contact", { ...aForm(), contacts: { pushover: [] } }, "PUSHOVER_CONTACT_REQUIRED"],
    ["no ntfy topic", { ...aForm(), contacts: { ntfy: [] } }, "NTFY_CONTACT_REQUIRED"],
    ["no webhook", { ...aForm(), contacts: { webhook: [] } }, "WEBHOOK_CONTACT_REQUIRED"],
    ["no device", { ...aForm(), contacts: { webpush: [] } }, "CONNECTION_REQUIRED"],
    ["one of two channels without a contact", withLists({ telegram: [] }), "TELEGRAM_CONTACT_REQUIRED"],
    ["a Telegram username that is too short", withLists({ telegram: ["@bob"] }), "CONTACT_INVALID"],
    ["a Pushover key that is too short", withLists({ pushover: ["u1"] }), "CONTACT_INVALID"],
    ["an unknown language", { ...aForm(), language: "ru" }, "LANGUAGE_REQUIRED"],
    ["no owner checkbox", { ...aForm(), owner: undefined }, "INVALID_INPUT"],
    ["an owner checkbox that is a text", { ...aForm(), owner: "true" }, "INVALID_INPUT"],
  ])("rejects %s", (_, input, code) => {
    expect(codesOf(trackInput, input)).toContain(code);
  });

  test("accepts ten contacts", () => {
    expect(codesOf(trackInput, contacts(many.slice(1)))).toEqual([]);
  });

  test.each(["status", "accountId", "suspended", "openAlerts", "__proto__"])("rejects the unknown key %s", (key) => {
    const input: unknown = JSON.parse(JSON.stringify(aForm()).replace("{", `{${JSON.stringify(key)}:true,`));
    expect(v.safeParse(trackInput, input).success).toBe(false);
  });

  test("rejects an unknown channel", () => {
    expect(v.safeParse(trackInput, { ...aForm(), contacts: { email: [ALICE.address], sms: [] } }).success).toBe(false);
  });
});

describe("updateInput", () => {
  test("requires the same contacts as tracking, and the paused state", () => {
    const { language, owner, contacts } = aForm();
    expect(v.parse(updateInput, { language, owner, contacts, paused: true })).toMatchObject({ paused: true });
    expect(codesOf(updateInput, { language, owner, contacts: {}, paused: false })).toEqual(["METHOD_REQUIRED"]);
    expect(v.safeParse(updateInput, { language, owner, contacts }).success).toBe(false);
  });
});

describe("bulkInput", () => {
  const bulk = (addresses: unknown) => {
    const { language, owner, contacts } = aForm();
    return { addresses, language, owner, contacts };
  };
  test("normalises each address", () => {
    expect(v.parse(bulkInput, bulk([" Bob@Example.NET.", "x@bücher.example"])).addresses).toEqual([
      "bob@example.net",
      "x@xn--bcher-kva.example",
    ]);
  });
  test.each([
    ["no addresses", [], "ADDRESS_REQUIRED"],
    ["an invalid one", ["bob@example.net", "bob"], "EMAIL_INVALID"],
    ["more than a thousand", Array.from({ length: 1001 }, (_, n) => `b${n}@example.net`), "BULK_TOO_LARGE"],
  ])("rejects %s", (_, addresses, code) => {
    expect(codesOf(bulkInput, bulk(addresses))).toContain(code);
  });
});

describe("associationQuery", () => {
  test("defaults to the first page of everything", () => {
    expect(v.parse(associationQuery, {})).toEqual({ search: "", status: "all", page: 1 });
    expect(v.parse(associationQuery, { search: " ali ", status: "safe", page: "12" })).toEqual({
      search: "ali",
      status: "safe",
      page: 12,
    });
  });

  test.each([
    ["page 0", { page: "0" }],
    ["a negative page", { page: "-1" }],
    ["half a page", { page: "1.5" }],
    ["a page in another notation", { page: "1e3" }],
    ["an empty page", { page: "" }],
    ["a page out of range", { page: "9999999" }],
    ["an unknown status", { status: "pending" }],
    ["an over-long search", { search: "x".repeat(321) }],
    ["a search with a NUL character", { search: "ali\0" }],
  ])("rejects %s", (_, input) => {
    expect(v.safeParse(associationQuery, input).success).toBe(false);
  });
});
