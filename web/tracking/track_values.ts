import type { FormErrors } from "@mantine/form";
import * as v from "valibot";
import type { Language } from "../../src/shared/language.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import { trackInput } from "../../src/tracking/inputs.ts";
import type { Tracking } from "../api.ts";

/** The form's own values: a method is chosen first, then filled with contacts. */
export type TrackValues = {
  address: string;
  owner: boolean;
  language: Language;
  byEmail: boolean;
  emails: string[];
};

/** What the server is sent. */
export function trackingOf({ address, owner, language, byEmail, emails }: TrackValues): Tracking {
  return { address, owner, language, contacts: { email: byEmail ? emails : [], telegram: [], pushover: [] } };
}

/** The schema's errors under the form's names: those of `contacts.email` and its entries belong to the one list. */
export function contactErrors(fields: Record<string, ErrorCode>): Record<string, ErrorCode> {
  const errors: Record<string, ErrorCode> = {};
  for (const [path, code] of Object.entries(fields)) {
    const name = path.startsWith("contacts.email") ? "emails" : path === "contacts" ? "byEmail" : path;
    errors[name] ??= code;
  }
  return errors;
}

/** The codes of a form that may not be sent yet. */
export function trackErrors(values: TrackValues): FormErrors {
  const { issues = [] } = v.safeParse(trackInput, trackingOf(values));
  const fields: Record<string, ErrorCode> = {};
  for (const issue of issues) fields[v.getDotPath(issue) ?? ""] ??= issue.message as ErrorCode;
  const errors = contactErrors(fields);
  if (values.byEmail) return errors;
  const { emails: _unused, ...others } = errors;
  return { ...others, byEmail: "METHOD_REQUIRED" };
}
