import type { FormErrors } from "@mantine/form";
import { normaliseEmail } from "../../src/shared/email_address.ts";
import type { Language } from "../../src/shared/language.ts";
import { bulkInput, trackInput, updateInput } from "../../src/tracking/inputs.ts";
import type { AssociationDetails, BulkTracking, Tracking, TrackingUpdate, TrackSettings } from "../api/api.ts";
import { type ContactValues, chosenContacts, contactValuesOf, errorsBy } from "./contact_values.ts";

/** What every form of an address has. */
export type SettingValues = ContactValues & { owner: boolean; language: Language };
export type TrackValues = SettingValues & { address: string };
export type UpdateValues = SettingValues & { paused: boolean };

function settingsOf(values: SettingValues): TrackSettings {
  return { owner: values.owner, language: values.language, contacts: chosenContacts(values) };
}

export function trackingOf(values: TrackValues): Tracking {
  return { address: values.address, ...settingsOf(values) };
}

export function bulkOf(addresses: string[], values: SettingValues): BulkTracking {
  return { addresses, ...settingsOf(values) };
}

export function updateOf(values: UpdateValues): TrackingUpdate {
  return { ...settingsOf(values), paused: values.paused };
}

export function updateValuesOf({ contacts, owner, language, paused }: AssociationDetails): UpdateValues {
  return { ...contactValuesOf(contacts), owner, language, paused };
}

export const trackErrors = (values: TrackValues): FormErrors => errorsBy(trackInput, trackingOf(values));
export const updateErrors = (values: UpdateValues): FormErrors => errorsBy(updateInput, updateOf(values));
export const bulkErrors = (addresses: string[], values: SettingValues): FormErrors =>
  errorsBy(bulkInput, bulkOf(addresses, values));

/** What happens after an address is added: at once, or after somebody's word. */
export type NextStep = "own" | "ownership" | "invitation";

export function nextStep({ address, owner }: { address: string; owner: boolean }, ownEmail: string): NextStep {
  if (ownEmail !== "" && normaliseEmail(address) === ownEmail) return "own";
  return owner ? "ownership" : "invitation";
}
