import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TRIAL_DAYS } from "../../src/shared/plans.ts";
import { TERMS } from "../../src/shared/terms.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The English text of each version. Fixing only a translation needs no new version. */
const VERSIONS: Record<string, string> = {
  "2.0": "ff26534f264d58ea",
  "2.1": "4cb41c1078d78fe2",
  "2.2": "c4e3d3f68c0b5953",
  "2.3": "94f0f85c82448e42",
  "2.4": "3b147d878e478518",
  "2.5": "aa3ade5d3e1f717e",
};

const textsOf = (topic: string, language = "en") =>
  JSON.parse(readFileSync(join(ROOT, `locales/${language}/${topic}.json`), "utf8")) as Record<string, string>;

describe("TERMS", () => {
  test("are the version of the texts in locales/: other texts need another version, and a new acceptance", () => {
    const words = JSON.stringify([textsOf("terms"), textsOf("privacy")]);
    const hash = createHash("sha256").update(words).digest("hex").slice(0, 16);
    expect({ version: TERMS.version, words: hash }).toEqual({
      version: TERMS.version,
      words: VERSIONS[TERMS.version] ?? "not listed here",
    });
  });

  test("are in force since a valid date", () => {
    expect(new Date(TERMS.since).toISOString()).toStartWith(TERMS.since);
  });

  test("cover every topic of the specification, in 20 sections", () => {
    const terms = textsOf("terms");
    expect(Object.keys(terms).filter((key) => /^section_\d+_body$/.test(key))).toHaveLength(20);
    const titles = Object.entries(terms).flatMap(([key, text]) => (key.endsWith("_title") ? [text] : []));
    for (const topic of [
      ...["The service", "How we use information", "Prohibited actions", "Artificial intelligence"],
      ...["Confidential information", "Data protection", "Disputes and applicable law", "No resale"],
      ...["How long data is kept", "Availability and support", "Changes to these terms"],
    ])
      expect(titles).toContain(topic);
    const all = Object.values(terms).join(" ");
    for (const wanted of [
      /do not sell personal data/,
      /negotiation before going to court/,
      /canton of \{canton\}, Switz/,
    ])
      expect(all).toMatch(wanted);
    expect(TRIAL_DAYS).toBe(14);
  });

  /** The periods stated in the privacy notice, and the constants in the code. */
  const PERIODS: [key: string, words: RegExp, file: string, code: RegExp][] = [
    ["kept_account_text", /7 days/, "src/identity/account/clean_up.ts", /UNVERIFIED_MS = 7 \* 24/],
    ["kept_activity_text", /12 months/, "src/identity/account/clean_up.ts", /AUDIT_MS = 365 \* 24/],
    ["kept_alerts_text", /30 days/, "src/breaches/alerts/alerts.ts", /HISTORY_MS = 30 \* 24/],
    ["kept_consents_text", /30 days/, "src/invitations/invitation.ts", /AGAIN_AFTER_DECLINE_MS = 30 \* DAY_MS/],
    [
      "kept_sessions_text",
      /a day without use and after a week/,
      "src/identity/sign_in/session.ts",
      /24 \* HOUR_MS, absoluteMs: 7 \*/,
    ],
    ["kept_sessions_text", /10 minutes/, "src/identity/sign_in/login_code.ts", /CODE_MINUTES = 10/],
    ["kept_sessions_text", /1 hour/, "src/identity/sign_in/password_reset.ts", /LINK_MINUTES = 60/],
    ["kept_sessions_text", /24 hours/, "src/identity/account/email_change.ts", /LINK_HOURS = 24/],
    ["kept_sessions_text", /7 days/, "src/notifications/contacts/contact.ts", /CONFIRMATION_VALID_MS = 7 \* DAY_MS/],
    ["kept_messages_text", /3 days/, "src/notifications/delivery/queue.ts", /UNOWNED_VALID_MS = 3 \* DAY_MS/],
    ["kept_support_text", /12 months/, "src/support/ticket.ts", /RETENTION_MONTHS = 12/],
    ["kept_backups_text", /4 weeks/, "src/config/backup_config.ts", /days = 7, weeks = 4/],
    ["device_device_text", /a year/, "src/identity/sign_in/known_device.ts", /REMEMBERED_DAYS = 365/],
    ["device_provider_text", /10 minutes/, "src/identity/sign_in/provider_visit.ts", /VISIT_MINUTES = 10/],
    ["gets_hibp_text", /first six characters/, "src/breaches/adapters/sources/hibp/hibp.ts", /PREFIX_LENGTH = 6/],
  ];
  test.each(PERIODS)("%s states %s, as in the code", (key, words, file, code) => {
    expect(textsOf("privacy")[key]).toMatch(words);
    expect(readFileSync(join(ROOT, file), "utf8")).toMatch(code);
  });
});
