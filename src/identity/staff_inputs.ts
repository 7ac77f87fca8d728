import * as v from "valibot";
import { STAFF_ACTS } from "../shared/staff.ts";

export const ACCOUNT_STATES = ["unverified", "locked", "staff"] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

const cursor = {
  /** Where the page before has ended: its last moment and id. */
  after: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  afterId: v.optional(v.pipe(v.string(), v.uuid())),
};
const day = v.optional(v.pipe(v.string(), v.isoDate()));

export const accountsQuery = v.strictObject({
  search: v.optional(v.pipe(v.string(), v.maxLength(320)), ""),
  state: v.optional(v.picklist(ACCOUNT_STATES)),
  ...cursor,
});

export const staffActsQuery = v.strictObject({
  actor: v.optional(v.pipe(v.string(), v.uuid())),
  act: v.optional(v.picklist(STAFF_ACTS)),
  object: v.optional(v.pipe(v.string(), v.maxLength(100))),
  from: day,
  /** The last day that is shown. */
  to: day,
  ...cursor,
});
