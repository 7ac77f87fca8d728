import { describe, expect, test } from "bun:test";
import { becameKnownLate } from "../../src/shared/breach.ts";
import { byChannel, type ContactLists, listsOf } from "../../src/shared/contacts.ts";
import type { ContactLink } from "../../web/api/api.ts";
import { tokenOf } from "../../web/app/link_token.ts";
import { listErrors, profileErrors } from "../../web/identity/profile/profile_values.ts";
import { stepOf } from "../../web/notifications/contact_step.ts";
import { kindOf } from "../../web/pages/error_kind.ts";
import { fieldErrors } from "../../web/tracking/contact_values.ts";
import { nextStep, trackErrors, trackingOf } from "../../web/tracking/track_values.ts";
import { distance } from "../../web/ui/display/distance.ts";
import { colourAt, initialOf, TILE_COLOURS, tiles } from "../../web/ui/display/initial.ts";

describe("tiles", () => {
  test("initialOf() returns the first two letters or digits", () => {
    const titles = ["contoso", "[99] Bottles", "  ünïcode", "123RF", "東京", "B"];
    expect(titles.map(initialOf)).toEqual(["Co", "99", "Ün", "12", "東京", "B"]);
    expect(initialOf("—")).toBe("?");
  });

  test("tiles() give the same look to the same name, using all colours", () => {
    const tileOf = tiles();
    expect(tileOf("Contoso", "Contoso")).toEqual(tileOf("contoso", "Contoso"));
    expect(tiles()("Contoso", "Contoso")).toEqual(tileOf("Contoso", "Contoso"));
    const colours = new Set(Array.from({ length: 400 }, (_, index) => tileOf(`Service ${index}`, `${index}`).colour));
    expect(colours.size).toBe(TILE_COLOURS);
  });

  test("tiles() never give two services on a page the same look", () => {
    const tileOf = tiles();
    for (const letters of ["Ad", "Ca"]) {
      const looks = Array.from({ length: TILE_COLOURS }, (_, index) => tileOf(`Name ${index}`, `${letters}${index}`));
      expect(new Set(looks.map(({ letters, colour }) => `${letters} ${colour}`)).size).toBe(TILE_COLOURS);
    }
  });

  test("each colour of a tile has enough contrast with white letters", () => {
    const ratios = Array.from({ length: TILE_COLOURS }, (_, index) => 1.05 / (luminanceOf(colourAt(index)) + 0.05));
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5);
  });
});

/** From `oklch(L C h)`, by the definition of OKLab; colours outside sRGB are clipped, as in the worst browser. */
function luminanceOf(colour: string): number {
  const [lightness = 0, chroma = 0, hue = 0] = colour.match(/[\d.]+/g)?.map(Number) ?? [];
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const [red = 0, green = 0, blue = 0] = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => Math.min(1, Math.max(0, part)));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("distance()", () => {
  const now = Date.parse("2025-03-10T12:00:00Z");

  test.each([
    ["2025-03-10T11:59:40Z", 0, "second"],
    ["2025-03-10T12:00:20Z", 0, "second"],
    ["2025-03-10T11:15:00Z", -45, "minute"],
    ["2025-03-10T09:00:00Z", -3, "hour"],
    ["2025-03-12T13:00:00Z", 2, "day"],
  ] as const)("distance() of %s is %i %s", (iso, value, unit) => {
    expect(distance(iso, now)).toEqual({ value, unit });
  });
});

describe("late publication", () => {
  test("becameKnownLate() is true after more than ninety days", () => {
    expect(becameKnownLate({ breachDate: "2024-01-01", addedDate: "2024-03-30T00:00:00Z" })).toBe(false);
    expect(becameKnownLate({ breachDate: "2024-01-01", addedDate: "2024-04-15T00:00:00Z" })).toBe(true);
  });
});

test("kindOf() returns the specification's pages and GENERIC for everything else", () => {
  expect(["USER_INACTIVE", "404", "NOT_FOUND", "toString", null].map(kindOf)).toEqual([
    ...(["USER_INACTIVE", "404", "404", "GENERIC", "GENERIC"] as const),
  ]);
});

test("tokenOf() returns the fragment's token", () => {
  expect(tokenOf("#t=abc-_1")).toBe("abc-_1");
  expect([tokenOf(""), tokenOf("#t="), tokenOf("#x=1")]).toEqual([undefined, undefined, undefined]);
});

test("stepOf() returns what fits the link and the contact's state", () => {
  const link = (purpose: ContactLink["purpose"], channel: ContactLink["channel"] = "email") => ({ purpose, channel });
  expect(stepOf(link("confirm"), "unconfirmed").answer).toBe("confirm");
  expect(stepOf(link("confirm"), "active").answer).toBeUndefined();
  expect(stepOf(link("unsubscribe"), "active").answer).toBe("unsubscribe");
  expect(stepOf(link("unsubscribe"), "unsubscribed").answer).toBe("resubscribe");
  // An ntfy topic can be read by anyone, so its messages have no link to stop them.
  expect(stepOf(link("confirm"), "active").explanation).toBe("contact.confirmed_text");
  expect(stepOf(link("confirm", "ntfy"), "active").explanation).toBe("contact.confirmed_ntfy");
});

describe("the tracking form", () => {
  const none = byChannel(() => false);
  const filled = {
    address: "a@example.com",
    owner: true,
    language: "en" as const,
    invitationLanguage: "it" as const,
    methods: { ...none, email: true },
    contacts: { ...listsOf([]), email: ["b@example.com"], telegram: ["carol_bell"] },
  };

  test("trackingOf() sends the lists of selected channels only", () => {
    expect(trackingOf(filled).contacts).toEqual({ email: ["b@example.com"] });
    expect(trackingOf({ ...filled, methods: none }).contacts).toEqual({});
    expect(trackingOf({ ...filled, methods: { ...none, pushover: true } }).contacts).toEqual({ pushover: [] });
  });

  test("trackingOf() sends the invitation's language if somebody else is asked", () => {
    expect(trackingOf(filled)).not.toHaveProperty("invitationLanguage");
    expect(trackingOf({ ...filled, owner: false })).toMatchObject({ language: "en", invitationLanguage: "it" });
  });

  test("trackErrors() distinguishes a missing channel, a missing contact and an invalid one", () => {
    const withEmails = (...email: string[]) => ({ ...filled, contacts: { ...filled.contacts, email } });
    expect(trackErrors(filled)).toEqual({});
    expect(trackErrors({ ...filled, methods: none })).toEqual({ methods: "METHOD_REQUIRED" });
    expect(trackErrors(withEmails())).toEqual({ "contacts.email": "EMAIL_CONTACT_REQUIRED" });
    expect(trackErrors(withEmails("b@example.com", "nobody"))).toEqual({ "contacts.email": "CONTACT_INVALID" });
    expect(trackErrors({ ...filled, address: " " })).toEqual({ address: "ADDRESS_REQUIRED" });
    expect(trackErrors({ ...filled, methods: { ...none, email: true, telegram: true, pushover: true } })).toEqual({
      "contacts.pushover": "PUSHOVER_CONTACT_REQUIRED",
    });
  });

  test("fieldErrors() maps the server's paths to the form's fields", () => {
    expect(fieldErrors({ "contacts.email.1": "CONTACT_INVALID", address: "ADDRESS_ALREADY_TRACKED" })).toEqual({
      "contacts.email": "CONTACT_INVALID",
      address: "ADDRESS_ALREADY_TRACKED",
    });
  });

  test("nextStep() recognises the own address in any spelling", () => {
    expect(nextStep({ address: " A@Example.com ", owner: false }, "a@example.com")).toBe("own");
    expect(nextStep({ address: "b@example.com", owner: true }, "a@example.com")).toBe("ownership");
    expect(nextStep({ address: "", owner: false }, "")).toBe("invitation");
  });
});

describe("the profile's form", () => {
  const contacts: ContactLists = { ...listsOf([]), email: ["b@example.com"], telegram: ["alice_archer"] };
  const values = { firstName: "Alice", lastName: "Archer", language: "en", companyName: "", defaultContacts: contacts };
  const filled = { ...values, language: "en" } as const;

  test("profileErrors() names the list of an invalid contact and allows all lists to be empty", () => {
    expect(profileErrors(filled)).toEqual({});
    const none = listsOf([]);
    expect(profileErrors({ ...filled, defaultContacts: none })).toEqual({});
    const wrong = { ...contacts, telegram: ["alice_archer", "no spaces"], pushover: ["short"] };
    expect(profileErrors({ ...filled, firstName: " ", defaultContacts: wrong })).toEqual({
      firstName: "FIRST_NAME_REQUIRED",
      "defaultContacts.telegram": "CONTACT_INVALID",
      "defaultContacts.pushover": "CONTACT_INVALID",
    });
  });

  test("listErrors() keeps the first code of a list and leaves other fields unchanged", () => {
    const codes = { "defaultContacts.email.0": "A", "defaultContacts.email.3": "B", lastName: "C" };
    expect(listErrors(codes)).toEqual({ "defaultContacts.email": "A", lastName: "C" });
  });
});
