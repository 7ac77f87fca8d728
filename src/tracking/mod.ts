import { access } from "./access.ts";
import { aliasMails } from "./alias_mails.ts";
import { aliases } from "./aliases.ts";
import { bulk } from "./bulk.ts";
import { contactUse } from "./contacts.ts";
import { dashboard } from "./dashboard.ts";
import { monitoring } from "./monitoring.ts";
import { ownership } from "./ownership.ts";
import type { TrackingDeps } from "./ports.ts";
import { records } from "./records.ts";
import { track } from "./track.ts";
import { update } from "./update.ts";

export type { Monitored, MonitoringRefusal } from "./access.ts";
export type { AliasDirectory } from "./alias_ports.ts";
export type { TrackingDeps, TrackingStore } from "./ports.ts";

/** Associations: who tracks which address, with which consent, and where alerts are sent. */
export function createTracking(deps: TrackingDeps) {
  return {
    ...track(deps),
    ...update(deps),
    ...bulk(deps),
    ...contactUse(deps),
    ...dashboard(deps),
    ...access(deps),
    ...monitoring(deps),
    ...ownership(deps),
    ...records(deps),
    ...aliases(deps),
    ...aliasMails(deps),
  };
}

export type Tracking = ReturnType<typeof createTracking>;
