import * as v from "valibot";
import { STAFF_ACTS } from "../../shared/staff.ts";
import { text, uuid } from "../../shared/text.ts";

export const ACCOUNT_STATES = ["unverified", "locked", "staff"] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

const cursor = {
  /** The cursor: time and id of the previous page's last entry. */
  after: v.optional(v.pipe(text(40), v.isoTimestamp())),
  afterId: v.optional(uuid()),
};
const day = v.optional(v.pipe(text(10), v.isoDate()));

export const accountsQuery = v.strictObject({
  search: v.optional(text(320), ""),
  state: v.optional(v.picklist(ACCOUNT_STATES)),
  ...cursor,
});

export const staffActsQuery = v.strictObject({
  actor: v.optional(uuid()),
  act: v.optional(v.picklist(STAFF_ACTS)),
  object: v.optional(text(100)),
  from: day,
  /** The last day, inclusive. */
  to: day,
  ...cursor,
});
