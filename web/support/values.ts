import { type FormErrors, schemaResolver } from "@mantine/form";
import { shownAddress } from "../../src/shared/shown_address.ts";
import { feedbackInput, type TicketInput, ticketInput } from "../../src/support/inputs.ts";
import type { Profile } from "../api/api.ts";
import type { TicketKind } from "../api/support_api.ts";
import { NO_KEY } from "../forms/idempotency_key.ts";

/** The form's values; feedback leaves subject and priority empty. */
export type Values = Record<"firstName" | "lastName" | "email" | "company" | "subject" | "description", string> & {
  type: TypedChoice<"type">;
  priority: TypedChoice<"priority">;
  privacy: boolean;
};
type TypedChoice<Field extends "type" | "priority"> = TicketInput[Field] | string;

/** Initial values from the profile. */
export function startingWith({ firstName, lastName, email, companyName }: Profile): Values {
  const known = { firstName, lastName, email: shownAddress(email), company: companyName ?? "" };
  return { ...known, type: "", priority: "", subject: "", description: "", privacy: false };
}

/** The request body, without fields that the kind does not have. */
export function bodyOf(kind: TicketKind, { subject, priority, ...values }: Values): object {
  return kind === "ticket" ? { ...values, subject, priority } : values;
}

const checks = {
  ticket: schemaResolver(ticketInput, { sync: true }),
  feedback: schemaResolver(feedbackInput, { sync: true }),
};

/** Returns a validator for the form; error codes by field. */
export function problemsOf(kind: TicketKind): (values: Values) => FormErrors {
  return (values) => checks[kind]({ ...bodyOf(kind, values), key: NO_KEY });
}
