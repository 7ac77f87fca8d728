import { NO_SCOPE } from "../shared/consent.ts";
import type { Language } from "../shared/language.ts";
import { announceEnd } from "./announce.ts";
import type { Association } from "./association.ts";
import type { TrackingDeps, TrackingStore } from "./ports.ts";
import { requestConsent } from "./track.ts";

/** Asks the owner of a tracked address again, under a new id: nothing is monitored before the answer. */
export function askingAgain({ newId, now }: Pick<TrackingDeps, "newId" | "now">) {
  return async function askAgain(
    store: TrackingStore,
    before: Association,
    settings: Association,
    invitationLanguage?: Language,
  ): Promise<Association> {
    const { associations } = store;
    await associations.remove(before.accountId, before.id);
    await announceEnd(store, before);
    const fresh: Association = {
      ...settings,
      id: newId(),
      consent: "pending",
      scope: NO_SCOPE,
      scopeVersion: 0,
      openAlerts: 0,
      openVersion: 0,
      createdAt: now(),
    };
    await associations.add(fresh);
    await requestConsent(store, fresh, invitationLanguage);
    return fresh;
  };
}
