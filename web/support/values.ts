import { type FormErrors, schemaResolver } from "@mantine/form";
import { feedbackInput, type TicketInput, ticketInput } from "../../src/support/inputs.ts";
import type { Profile } from "../api/api.ts";
import type { TicketKind } from "../api/support_api.ts";

/** Everything as it is typed; feedback leaves subject and priority empty. */
export type Values = Record<"firstName" | "lastName" | "email" | "company" | "subject" | "description", string> & {
  type: TypedChoice<"type">;
  priority: TypedChoice<"priority">;
  privacy: boolean;
};
type TypedChoice<Field extends "type" | "priority"> = TicketInput[Field] | string;

/** What is known already. */
export function startingWith({ firstName, lastName, email, companyName }: Profile): Values {
  const known = { firstName, lastName, email, company: companyName ?? "" };
  return { ...known, type: "", priority: "", subject: "", description: "", privacy: false };
}

/** What is sent: without what the form does not ask for. */
export function bodyOf(kind: TicketKind, { subject, priority, ...values }: Values): object {
  return kind === "ticket" ? { ...values, subject, priority } : values;
}

// A form that is checked has not been sent yet.
const key = "00000000-0000-4000-8000-000000000000";
const checks = {
  ticket: schemaResolver(ticketInput, { sync: true }),
  feedback: schemaResolver(feedbackInput, { sync: true }),
};

/** The codes of a form that may not be sent yet. */
export function problemsOf(kind: TicketKind): (values: Values) => FormErrors {
  return (values) => checks[kind]({ ...bodyOf(kind, values), key });
}
