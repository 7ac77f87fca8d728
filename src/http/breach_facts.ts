import * as v from "valibot";
import { BREACH_FLAGS, PASSWORD_STORAGES } from "../shared/breach.ts";

/** What people are shown of a breach, in responses. */
export const breachFacts = v.object({
  name: v.string(),
  title: v.string(),
  domain: v.string(),
  breachDate: v.nullable(v.string()),
  addedDate: v.string(),
  dataClasses: v.array(v.string()),
  flags: v.array(v.picklist(BREACH_FLAGS)),
  pwnCount: v.number(),
  passwordStorage: v.nullable(v.picklist(PASSWORD_STORAGES)),
  manyServices: v.boolean(),
  logo: v.nullable(v.string()),
});
