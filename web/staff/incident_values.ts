import type { IncidentKind, IncidentState, Part } from "../../src/operations/inputs.ts";
import { LANGUAGES, type Language } from "../../src/shared/language.ts";
import type { Localized } from "../../src/shared/localized.ts";
import type { ServiceStatus } from "../api/service_api.ts";

export type Incident = ServiceStatus["incidents"][number];
export type Update = Incident["updates"][number];
type Texts = Record<Language, string>;
/** The form's values: times in the format of `datetime-local` inputs, and texts in all languages. */
export type HeadValues = { title: Texts; parts: Part[]; startsAt: string; endsAt: string };
export type NewsValues = { state: IncidentState; text: Texts };

const HOUR_MS = 3_600_000;

/** The state to preselect; those that a maintenance takes by schedule cannot be chosen. */
export function typedState(state: Update["state"] | undefined): IncidentState {
  return state === "planned" || state === "running" || state === undefined ? "investigating" : state;
}

export const noTexts = (): Texts => Object.fromEntries(LANGUAGES.map((language) => [language, ""])) as Texts;
export function textsOf(words: Localized): Texts {
  return Object.fromEntries(LANGUAGES.map((language) => [language, words[language] ?? ""])) as Texts;
}

/** A time for a `datetime-local` input, such as "2026-11-20T14:30", in the user's time zone. */
export function localTime(instant: Date): string {
  const shifted = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** An invalid input becomes "", which the server rejects. */
function isoTime(local: string): string {
  const instant = new Date(local);
  return local === "" || Number.isNaN(instant.getTime()) ? "" : instant.toISOString();
}

export function newValues(kind: IncidentKind, now: Date): HeadValues & NewsValues {
  const startsAt = kind === "maintenance" ? new Date(now.getTime() + 24 * HOUR_MS) : now;
  return {
    title: noTexts(),
    parts: [],
    text: noTexts(),
    state: "investigating",
    startsAt: localTime(startsAt),
    endsAt: kind === "maintenance" ? localTime(new Date(startsAt.getTime() + HOUR_MS)) : "",
  };
}

export function valuesOf({ kind, title, parts, startsAt, endsAt }: Incident): HeadValues {
  const end = kind === "maintenance" && endsAt !== null ? localTime(new Date(endsAt)) : "";
  return { title: textsOf(title), parts, startsAt: localTime(new Date(startsAt)), endsAt: end };
}

export function headOf(kind: IncidentKind, { title, parts, startsAt, endsAt }: HeadValues) {
  return { title, parts, startsAt: isoTime(startsAt), endsAt: kind === "maintenance" ? isoTime(endsAt) : null };
}
