import { type Shown, shown } from "../shared/shown.ts";
import type { ConsentRecord } from "./invitation.ts";

/** An entry of the consent record, as shown to both sides. */
export type RecordEntry = Shown<Pick<ConsentRecord, "at" | "act" | "by" | "scope" | "language" | "wording">>;

export function recordEntries(records: ConsentRecord[]): RecordEntry[] {
  return records.map(({ at, act, by, scope, language, wording }) => shown({ at, act, by, scope, language, wording }));
}
