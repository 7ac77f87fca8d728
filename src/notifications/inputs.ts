import * as v from "valibot";
import { byChatField, CHAT_FIELDS, CHAT_NAMES, chatError, fieldsOf, isOptional } from "../shared/chats.ts";
import { CHANNELS, contactError, contactValue, MAX_CONTACT_LENGTH } from "../shared/contacts.ts";
import { EMAIL_TYPED_MAX } from "../shared/email_address.ts";
import { LANGUAGES } from "../shared/language.ts";
import { text, trim, uuid } from "../shared/text.ts";

/** A link's token, as posted by the page that the link opens. */
export const linkInput = v.strictObject({
  token: v.pipe(text(200, "LINK_INVALID"), v.minLength(1, "LINK_INVALID")),
});

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const time = v.pipe(text(5, "TIME_INVALID"), v.regex(TIME, "TIME_INVALID"));

/** Whether the platform knows this time zone (IANA). */
function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/** All settings of a contact; null for the default. */
export const settingsInput = v.strictObject({
  discreet: v.boolean("INVALID_INPUT"),
  language: v.nullable(v.picklist(LANGUAGES, "INVALID_INPUT")),
  /** Alerts below this severity wait for the daily digest; "always": all but the critical ones. */
  digestBelow: v.nullable(v.picklist(["medium", "high", "critical", "always"], "INVALID_INPUT")),
  digestHour: v.nullable(
    v.pipe(
      v.number("TIME_INVALID"),
      v.integer("TIME_INVALID"),
      v.minValue(0, "TIME_INVALID"),
      v.maxValue(23, "TIME_INVALID"),
    ),
  ),
  quiet: v.nullable(
    v.pipe(
      v.strictObject({ from: time, to: time }),
      v.check(({ from, to }) => from !== to, "TIMES_EQUAL"),
    ),
  ),
  zone: v.nullable(v.pipe(text(64, "ZONE_INVALID"), v.check(isZone, "ZONE_INVALID"))),
  device: v.nullable(v.pipe(text(260), v.regex(/^[\w-]{1,25}(,[\w-]{1,25}){0,9}$/, "INVALID_INPUT"))),
  emergency: v.boolean("INVALID_INPUT"),
});
export type SettingsInput = v.InferOutput<typeof settingsInput>;

/** How often an account gets a summary by mail. */
export const SUMMARY_EVERY = ["month", "year"] as const;
export type SummaryEvery = (typeof SUMMARY_EVERY)[number];
export const summaryInput = v.strictObject({ every: v.nullable(v.picklist(SUMMARY_EVERY, "INVALID_INPUT")) });

/** A new contact; `everywhere`: it also gets the alerts of all the account's current and future addresses. */
export const contactInput = v.pipe(
  v.strictObject({
    channel: v.picklist(CHANNELS, "INVALID_INPUT"),
    value: text(Math.max(EMAIL_TYPED_MAX, MAX_CONTACT_LENGTH.webhook), "FIELD_REQUIRED", "TEXT_TOO_LONG"),
    language: v.picklist(LANGUAGES, "LANGUAGE_REQUIRED"),
    everywhere: v.boolean("INVALID_INPUT"),
  }),
  v.forward(
    v.check(
      ({ channel, value }) => contactValue(channel, value) !== undefined,
      ({ input }) => contactError(input.channel, input.value),
    ),
    ["value"],
  ),
  v.transform((input) => ({ ...input, value: contactValue(input.channel, input.value) ?? input.value })),
);
export type ContactInput = v.InferOutput<typeof contactInput>;

/** `value` filters by recipient. */
export const contactQuery = v.object({
  page: v.optional(v.pipe(text(6), v.digits(), v.toNumber(), v.minValue(1)), "1"),
  value: v.optional(v.pipe(text(1000), v.excludes("\0", "INVALID_INPUT")), ""),
});

const MOST_TESTS = 20;

/** The contacts to send a test to. */
export const testInput = v.strictObject({
  contactIds: v.pipe(v.array(uuid()), v.minLength(1, "CONTACT_REQUIRED"), v.maxLength(MOST_TESTS, "INVALID_INPUT")),
});

/** Ids of tests, separated by commas. */
export const testQuery = v.object({
  ids: v.pipe(
    text(MOST_TESTS * 37),
    v.transform((list) => list.split(",")),
    v.array(uuid()),
    v.maxLength(MOST_TESTS, "INVALID_INPUT"),
  ),
});

const BASE64URL = /^[\w-]+={0,2}$/;

/** A browser's subscription; `contactId` is the device that it replaces, and `name` what its owner calls it. */
export const deviceInput = v.strictObject({
  name: v.pipe(text(60), trim, v.nonEmpty("INVALID_INPUT")),
  endpoint: v.pipe(
    text(MAX_CONTACT_LENGTH.webhook, "CONTACT_INVALID"),
    v.check((typed) => contactValue("webhook", typed) !== undefined, "CONTACT_INVALID"),
  ),
  // An uncompressed point on P-256, and 16 bytes.
  p256dh: v.pipe(
    text(90, "CONTACT_INVALID"),
    v.minLength(86, "CONTACT_INVALID"),
    v.regex(BASE64URL, "CONTACT_INVALID"),
  ),
  auth: v.pipe(text(24, "CONTACT_INVALID"), v.minLength(22, "CONTACT_INVALID"), v.regex(BASE64URL, "CONTACT_INVALID")),
  contactId: v.optional(uuid()),
  language: v.picklist(LANGUAGES, "LANGUAGE_REQUIRED"),
  everywhere: v.boolean("INVALID_INPUT"),
});
export type DeviceInput = v.InferOutput<typeof deviceInput>;

export const seenInput = v.strictObject({ delivery: uuid(), mark: text(64) });
export type SeenInput = v.InferOutput<typeof seenInput>;

/** A chat; `contactId` is the contact that it replaces, and `name` what its owner calls it. */
export const chatInput = v.pipe(
  v.strictObject({
    channel: v.picklist(CHAT_NAMES, "INVALID_INPUT"),
    entered: v.strictObject(
      byChatField((field) => v.optional(v.pipe(text(CHAT_FIELDS[field].max, chatError(field)), trim))),
    ),
    name: v.pipe(text(60), trim),
    contactId: v.optional(uuid()),
    language: v.picklist(LANGUAGES, "LANGUAGE_REQUIRED"),
    everywhere: v.boolean("INVALID_INPUT"),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { channel, entered: values } = dataset.value;
    for (const key of fieldsOf(channel)) {
      if (isOptional(key) || (values[key] ?? "") !== "") continue;
      const ofEntered = {
        type: "object",
        origin: "value",
        input: dataset.value,
        key: "entered",
        value: values,
      } as const;
      const ofField = { type: "object", origin: "value", input: values, key, value: values[key] } as const;
      addIssue({ message: "FIELD_REQUIRED", path: [ofEntered, ofField] });
    }
  }),
);
export type ChatInput = v.InferOutput<typeof chatInput>;
