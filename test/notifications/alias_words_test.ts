import { describe, expect, test } from "bun:test";
import { layOut } from "../../src/notifications/adapters/channels/email/email_layout.ts";
import { pushText } from "../../src/notifications/adapters/channels/push_text.ts";
import { alertContent } from "../../src/notifications/messages/alert_message.ts";
import { addressFound } from "../../src/notifications/messages/alias_words.ts";
import { severalContent } from "../../src/notifications/messages/grouped_message.ts";
import { aliased } from "./every_message.ts";
import { translate } from "./post_office.ts";

const ALIAS = "alice+adobe@home.example";
const options = {
  translate,
  language: "en" as const,
  publicUrl: "https://breachbell.example",
  stopUrl: "https://breachbell.example/en/manage-contact#t=x",
  sources: ["hibp"],
  now: new Date("2026-03-02T08:00:00Z"),
};

describe("a message about an alert that was found under aliases", () => {
  test("says which alias is in the data, which address it belongs to, and what its name tells", () => {
    const { text } = layOut(alertContent(aliased, options));
    expect(text).toContain(`The address ${ALIAS} is in the data of a breach`);
    expect(text).toContain(`Address: ${aliased.address}`);
    expect(text).toContain(`Found under: ${ALIAS}, alice+0@home.example`);
    expect(text).toContain(", +4");
    expect(text).toContain(`The alias ${ALIAS} is named after this service. If you gave it to no one else`);
  });

  test("names it in the shortest versions and in lists", () => {
    const short = pushText(
      alertContent(aliased, options),
      { title: 100, characters: 500, bytes: 2000 },
      { links: true },
    );
    expect(short.body).toContain(ALIAS);
    expect(layOut(severalContent("alerts", [aliased, aliased], options)).text).toContain(`Found under: ${ALIAS}`);
  });

  test("accuses no service after which no alias is named", () => {
    const foundUnder = aliased.foundUnder.map((found) => ({ ...found, namesService: false }));
    expect(layOut(alertContent({ ...aliased, foundUnder }, options)).text).not.toContain("named after");
  });
});

test("addressFound() is the tracked address whenever that is in the data", () => {
  const address = "alice@home.example";
  const under = (...addresses: string[]) => addresses.map((each) => ({ address: each, namesService: false }));
  expect(addressFound({ address, foundUnder: [] })).toBe(address);
  expect(addressFound({ address, foundUnder: under(ALIAS, address) })).toBe(address);
  expect(addressFound({ address, foundUnder: under(ALIAS, "alice+0@home.example") })).toBe(ALIAS);
});
