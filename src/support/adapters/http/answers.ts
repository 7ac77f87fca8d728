import * as v from "valibot";
import { text } from "../../../shared/text.ts";
import { FEEDBACK_TYPES, PRIORITIES, TICKET_KINDS, TICKET_STATES, TICKET_TYPES } from "../../inputs.ts";
import { referenceOf } from "../../reference.ts";

const REFERENCE_TYPED_MAX = 40;

/** The ticket's reference in a path, in any notation. */
export const reference = v.object({
  reference: v.pipe(
    text(REFERENCE_TYPED_MAX),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const found = referenceOf(dataset.value);
      if (found !== undefined) return found;
      addIssue({ message: "NOT_FOUND" });
      return NEVER;
    }),
  ),
});

const listed = v.object({
  reference: v.string(),
  kind: v.picklist(TICKET_KINDS),
  type: v.picklist([...TICKET_TYPES, ...FEEDBACK_TYPES]),
  priority: v.nullable(v.picklist(PRIORITIES)),
  state: v.picklist(TICKET_STATES),
  title: v.string(),
  createdAt: v.string(),
  changedAt: v.string(),
});
const pageNumbers = { total: v.number(), page: v.number(), pageSize: v.number() };

export const ticketList = v.object({ items: v.array(listed), ...pageNumbers });

export const ticketShown = v.object({
  ...listed.entries,
  subject: v.nullable(v.string()),
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  company: v.nullable(v.string()),
  closedAt: v.nullable(v.string()),
  messages: v.array(v.object({ by: v.picklist(["sender", "staff"]), text: v.string(), at: v.string() })),
});
