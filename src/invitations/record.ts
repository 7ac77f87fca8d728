import type { ConsentScope } from "../shared/consent.ts";
import type { ConsentRecord } from "./invitation.ts";

/** An entry of the consent record, as shown to both sides. */
export type RecordEntry = Pick<ConsentRecord, "act" | "by" | "language" | "wording"> & {
  at: string;
  scope: ConsentScope | null;
};

export function recordEntries(records: ConsentRecord[]): RecordEntry[] {
  return records.map(({ at, act, by, scope = null, language, wording }) => ({
    at: at.toISOString(),
    act,
    by,
    scope,
    language,
    wording,
  }));
}
