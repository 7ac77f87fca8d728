import type { FormErrors } from "@mantine/form";
import { normaliseEmail } from "../../src/shared/email_address.ts";
import type { Language } from "../../src/shared/language.ts";
import { bulkInput, trackInput, updateInput } from "../../src/tracking/inputs.ts";
import type { AssociationDetails, Tracking } from "../api/api.ts";
import { type ContactValues, chosenContacts, contactValuesOf, errorsBy } from "./contact_values.ts";

/** The values that all address forms share. */
export type SettingValues = ContactValues & { owner: boolean; language: Language; invitationLanguage: Language };
export type TrackValues = SettingValues & { address: string };
export type UpdateValues = SettingValues & { paused: boolean };

function settingsOf(values: SettingValues, isAsked = !values.owner) {
  const { owner, language, invitationLanguage } = values;
  return { owner, language, ...(isAsked && { invitationLanguage }), contacts: chosenContacts(values) };
}

export function trackingOf(values: TrackValues): Tracking {
  return { address: values.address, ...settingsOf(values) };
}

export function bulkOf(addresses: string[], values: SettingValues) {
  return { addresses, ...settingsOf(values) };
}

/** The request body; `before` is the former ownership: only a change of it sends a new invitation. */
export function updateOf(values: UpdateValues, before = values.owner) {
  return { ...settingsOf(values, isAskedAnew(values, before)), paused: values.paused };
}

/** Whether the change requires an invitation of the owner. */
export function isAskedAnew({ owner }: Pick<UpdateValues, "owner">, before: boolean): boolean {
  return before && !owner;
}

export function updateValuesOf({ contacts, owner, language, paused }: AssociationDetails): UpdateValues {
  return { ...contactValuesOf(contacts), owner, language, invitationLanguage: language, paused };
}

export const trackErrors = (values: TrackValues): FormErrors => errorsBy(trackInput, trackingOf(values));
export const updateErrors = (values: UpdateValues): FormErrors => errorsBy(updateInput, updateOf(values));
export const bulkErrors = (addresses: string[], values: SettingValues): FormErrors =>
  errorsBy(bulkInput, bulkOf(addresses, values));

/** Whether the typed address equals the account's own after normalisation. */
export function isSameAddress(typed: string, ownEmail: string): boolean {
  return ownEmail !== "" && normaliseEmail(typed) === ownEmail;
}

/** The step after adding an address: tracked immediately, or after the owner has confirmed or consented. */
export type NextStep = "own" | "ownership" | "invitation";

export function nextStep({ address, owner }: { address: string; owner: boolean }, ownEmail: string): NextStep {
  if (isSameAddress(address, ownEmail)) return "own";
  return owner ? "ownership" : "invitation";
}
