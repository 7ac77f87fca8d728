import { fail, type Result } from "../../shared/result.ts";
import type { SettingsInput } from "../inputs.ts";
import type { ContactSettings, StoreAndClock } from "../ports.ts";
import { change } from "./contact.ts";
import type { ContactView, ShowContact } from "./contact_list.ts";

/** Stores only what was chosen; the secret and the provider's data stay unchanged. */
function chosen(
  { secret, devices, thread }: ContactSettings,
  { discreet, digestBelow, digestHour, quiet, zone, device, emergency, language }: SettingsInput,
): ContactSettings {
  return {
    ...(secret !== undefined && { secret }),
    ...(devices !== undefined && { devices }),
    ...(thread !== undefined && { thread }),
    ...(discreet && { discreet }),
    ...(digestBelow !== null && { digestBelow }),
    ...(digestHour !== null && { digestHour }),
    ...(quiet !== null && { quiet }),
    ...(zone !== null && { zone }),
    ...(device !== null && { device }),
    ...(emergency && { emergency }),
    ...(language !== null && { language }),
  };
}

/** An account's settings of a contact: schedule, urgency, detail and language. */
export function contactSettings({ transaction, showContact, now }: StoreAndClock & { showContact: ShowContact }) {
  return {
    /** Reschedules waiting messages under the new settings. */
    async saveContactSettings(
      accountId: string,
      contactId: string,
      input: SettingsInput,
    ): Promise<Result<ContactView, "NOT_FOUND">> {
      const isOwn = await transaction(async ({ contacts, deliveries }) => {
        const contact = (await contacts.listLocked([accountId])).find(({ id }) => id === contactId);
        if (!contact) return false;
        await change(contacts, contactId, (stored) => ({ ...stored, settings: chosen(stored.settings, input) }));
        for (const reason of ["digest", "quiet"] as const) await deliveries.releaseHeld(reason, contactId, now());
        return true;
      });
      return isOwn ? showContact(accountId, contactId) : fail("NOT_FOUND");
    },
  };
}
