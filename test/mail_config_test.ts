import { expect, test } from "bun:test";
import { loadConfig } from "../src/config/config.ts";

const SMTP = { SMTP_URL: "smtp://user:secret@mail.example:587", MAIL_FROM: "alerts@breachbell.example" };
const SECRET = "a-secret-of-the-mail-server-0123456789";
const load = (environment: Record<string, string>) => loadConfig(environment, () => "");
const mailOf = (environment: Record<string, string>) => {
  const loaded = load(environment);
  return loaded.ok ? loaded.config.mail : loaded.problems;
};

test("without a server mail stays local", () => {
  expect(mailOf({})).toMatchObject({ kind: "mailbox" });
});

test("a server accepts as many connections as it likes, or as many as configured", () => {
  expect(mailOf(SMTP)).toEqual({ kind: "smtp", url: SMTP.SMTP_URL, from: SMTP.MAIL_FROM, connections: 5 } as never);
  expect(mailOf({ ...SMTP, SMTP_PER_SECOND: "14" })).toMatchObject({ perSecond: 14 });
  expect(mailOf({ ...SMTP, SMTP_CONNECTIONS: "3" })).toMatchObject({ connections: 3 });
});

test("bounces need an address to arrive at and a secret to be verified with", () => {
  const bounces = { BOUNCE_DOMAIN: "mail.breachbell.example", BOUNCE_SECRET: SECRET };
  expect(mailOf({ ...SMTP, ...bounces })).toMatchObject({
    bounces: { domain: "mail.breachbell.example", secret: SECRET },
  });
  expect(mailOf({ ...SMTP, BOUNCE_DOMAIN: bounces.BOUNCE_DOMAIN })).toEqual([
    expect.stringContaining("BOUNCE_SECRET is missing"),
  ] as never);
  expect(mailOf({ ...SMTP, BOUNCE_SECRET: SECRET })).toEqual([
    expect.stringContaining("BOUNCE_DOMAIN is missing"),
  ] as never);
});

test.each([
  ["SMTP_URL", "http://mail.example"],
  ["SMTP_URL", "smtp://user:secret@mail.example:587?tsl=off"],
  ["SMTP_URL", "smtp://user:secret@mail.example:587?tls=on"],
  ["SMTP_URL", "smtp://user:secret@10.0.0.5:587?servername=mail/example"],
  ["SMTP_PER_SECOND", "0"],
  ["SMTP_PER_SECOND", "many"],
  ["SMTP_CONNECTIONS", "0"],
  ["SMTP_CONNECTIONS", "51"],
  ["BOUNCE_DOMAIN", "not a domain"],
  ["BOUNCE_SECRET", "short"],
])("%s=%p is rejected by name, without repeating it", (name, value) => {
  const problems = mailOf({ ...SMTP, BOUNCE_DOMAIN: "m.example", BOUNCE_SECRET: SECRET, [name]: value });
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} must`))] as never);
  expect(String(problems)).not.toContain(value);
});
