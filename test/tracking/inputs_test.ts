import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { associationQuery, MAX_CONTACTS, trackInput } from "../../src/tracking/inputs.ts";
import { ALICE, aTrackInput } from "../support/builders.ts";

function codesOf(schema: v.GenericSchema, input: unknown): string[] {
  const result = v.safeParse(schema, input);
  return result.success ? [] : result.issues.map(({ message }) => message);
}

describe("trackInput", () => {
  test("gives the addresses normalised, each once, and no contacts of the channels that are left out", () => {
    const typed = aTrackInput({ address: " Alice@Example.COM " });
    const contacts = { email: ["BOB@example.net", "bob@EXAMPLE.net ", ALICE.address] };
    expect(v.parse(trackInput, { ...typed, contacts })).toEqual({
      ...{ address: ALICE.address, owner: true, language: "en" },
      contacts: { email: ["bob@example.net", ALICE.address], telegram: [], pushover: [] },
    });
  });

  const contacts = (email: unknown) => ({ ...aTrackInput(), contacts: { email } });
  const many = Array.from({ length: MAX_CONTACTS + 1 }, (_, number) => `alice+${number}@example.com`);
  test.each([
    ["no address", { ...aTrackInput(), address: "" }, "ADDRESS_REQUIRED"],
    ["a blank address", { ...aTrackInput(), address: "  " }, "ADDRESS_REQUIRED"],
    ["an address of another type", { ...aTrackInput(), address: 5 }, "ADDRESS_REQUIRED"],
    ["an address that is none", { ...aTrackInput(), address: "alice" }, "EMAIL_INVALID"],
    ["an address without end", { ...aTrackInput(), address: "a".repeat(100_000) }, "EMAIL_INVALID"],
    ["two addresses in one", { ...aTrackInput(), address: "alice@example.com,bob@example.net" }, "EMAIL_INVALID"],
    ["no contacts", { ...aTrackInput(), contacts: undefined }, "METHOD_REQUIRED"],
    ["no method", { ...aTrackInput(), contacts: {} }, "METHOD_REQUIRED"],
    ["no contact", contacts([]), "EMAIL_CONTACT_REQUIRED"],
    ["a contact that is no address", contacts(["alice@"]), "CONTACT_INVALID"],
    ["an empty contact", contacts([""]), "EMAIL_REQUIRED"],
    ["too many contacts", contacts(many), "TOO_MANY_CONTACTS"],
    [
      "a Telegram contact",
      { ...aTrackInput(), contacts: { email: [ALICE.address], telegram: ["alice"] } },
      "CONTACT_INVALID",
    ],
    [
      "a Pushover contact",
      { ...aTrackInput(), contacts: { email: [ALICE.address], pushover: ["u1"] } },
      "CONTACT_INVALID",
    ],
    ["an unknown language", { ...aTrackInput(), language: "ru" }, "LANGUAGE_REQUIRED"],
    ["no owner box", { ...aTrackInput(), owner: undefined }, "INVALID_INPUT"],
    ["an owner box that is a text", { ...aTrackInput(), owner: "true" }, "INVALID_INPUT"],
  ])("refuses %s", (_, input, code) => {
    expect(codesOf(trackInput, input)).toContain(code);
  });

  test("takes ten contacts", () => {
    expect(codesOf(trackInput, contacts(many.slice(1)))).toEqual([]);
  });

  test.each(["status", "accountId", "suspended", "openAlerts", "__proto__"])("refuses the unknown key %s", (key) => {
    const input: unknown = JSON.parse(JSON.stringify(aTrackInput()).replace("{", `{${JSON.stringify(key)}:true,`));
    expect(v.safeParse(trackInput, input).success).toBe(false);
  });

  test("refuses an unknown channel", () => {
    expect(v.safeParse(trackInput, { ...aTrackInput(), contacts: { email: [ALICE.address], sms: [] } }).success).toBe(
      false,
    );
  });
});

describe("associationQuery", () => {
  test("asks for the first page of everything by default", () => {
    expect(v.parse(associationQuery, {})).toEqual({ search: "", status: "all", page: 1 });
    expect(v.parse(associationQuery, { search: " ali ", status: "safe", page: "12" })).toEqual({
      ...{ search: "ali", status: "safe", page: 12 },
    });
  });

  test.each([
    ["page 0", { page: "0" }],
    ["a negative page", { page: "-1" }],
    ["half a page", { page: "1.5" }],
    ["a page in another notation", { page: "1e3" }],
    ["an empty page", { page: "" }],
    ["a page beyond all", { page: "9999999" }],
    ["a status that is none", { status: "pending" }],
    ["a search without end", { search: "x".repeat(321) }],
    ["a search with the character 0", { search: "ali\0" }],
  ])("refuses %s", (_, input) => {
    expect(v.safeParse(associationQuery, input).success).toBe(false);
  });
});
