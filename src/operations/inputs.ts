import * as v from "valibot";
import { CHANNELS } from "../shared/contacts.ts";
import { code } from "../shared/result.ts";
import { text, trim, typedMax } from "../shared/text.ts";

/** The parts of the service that an incident can affect. */
export const PARTS = ["website", "checks", ...CHANNELS, "payments"] as const;
export type Part = (typeof PARTS)[number];
export const INCIDENT_STATES = ["investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];
export const INCIDENT_KINDS = ["incident", "maintenance"] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

const TITLE_MAX = 120;
const TEXT_MAX = 2000;

/** Localized text: English is required, and empty translations are dropped. */
function words(max: number) {
  const further = v.pipe(
    text(typedMax(max), "INVALID_INPUT", "TEXT_TOO_LONG"),
    trim,
    v.maxLength(max, code("TEXT_TOO_LONG")),
  );
  const other = v.optional(
    v.pipe(
      further,
      v.transform((given) => given || undefined),
    ),
  );
  const english = v.pipe(
    text(typedMax(max), "FIELD_REQUIRED", "TEXT_TOO_LONG"),
    trim,
    v.minLength(1, code("FIELD_REQUIRED")),
    v.maxLength(max, code("TEXT_TOO_LONG")),
  );
  return v.strictObject({ en: english, fr: other, de: other, it: other, es: other, pt: other });
}

const moment = v.pipe(
  text(40, "TIME_INVALID"),
  v.isoTimestamp(code("TIME_INVALID")),
  v.check((given) => !Number.isNaN(Date.parse(given)), code("TIME_INVALID")),
);
const parts = v.pipe(
  v.array(v.picklist(PARTS, code("INVALID_INPUT"))),
  v.maxLength(PARTS.length * 2),
  v.transform((given) => PARTS.filter((part) => given.includes(part))),
);
const state = v.picklist(INCIDENT_STATES, code("FIELD_REQUIRED"));
const head = {
  title: words(TITLE_MAX),
  parts,
  startsAt: moment,
  /** For maintenance: the planned end. */
  endsAt: v.nullable(moment),
};
type Times = { startsAt: string; endsAt: string | null };
const endsLater = ({ startsAt, endsAt }: Times) => endsAt === null || Date.parse(endsAt) > Date.parse(startsAt);
const needsEnd = ({ kind, endsAt }: { kind: IncidentKind; endsAt: string | null }) =>
  (kind === "maintenance") === (endsAt !== null);

export const openIncidentInput = v.pipe(
  v.strictObject({ kind: v.picklist(INCIDENT_KINDS, code("FIELD_REQUIRED")), state, ...head, text: words(TEXT_MAX) }),
  v.forward(v.partialCheck([["kind"], ["endsAt"]], needsEnd, code("TIME_INVALID")), ["endsAt"]),
  v.forward(v.partialCheck([["startsAt"], ["endsAt"]], endsLater, code("END_BEFORE_START")), ["endsAt"]),
);
export type OpenIncidentInput = v.InferOutput<typeof openIncidentInput>;

export const changeIncidentInput = v.pipe(
  v.strictObject(head),
  v.forward(v.partialCheck([["startsAt"], ["endsAt"]], endsLater, code("END_BEFORE_START")), ["endsAt"]),
);
export type ChangeIncidentInput = v.InferOutput<typeof changeIncidentInput>;

/** An update; `resolved` ends an incident or a maintenance. */
export const incidentUpdateInput = v.strictObject({ state, text: words(TEXT_MAX) });
export type IncidentUpdateInput = v.InferOutput<typeof incidentUpdateInput>;

const EVENTS_PER_PAGE = 1000;

/** `GET /api/events`. */
export const eventsQuery = v.object({
  /** Cursor of the last event that was read. */
  after: v.optional(v.pipe(text(11), v.regex(/^[0-9a-z]{1,11}$/, code("INVALID_INPUT")))),
  limit: v.optional(v.pipe(text(4), v.digits(), v.toNumber(), v.minValue(1), v.maxValue(EVENTS_PER_PAGE)), "100"),
});
