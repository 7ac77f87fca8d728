import type { FormErrors } from "@mantine/form";
import * as v from "valibot";
import { byChannel, CHANNELS, type Channel, type ContactLists } from "../../src/shared/contacts.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import type { ChosenContacts } from "../api/api.ts";

/** A channel is selected first, then filled with contacts; these are kept while it is deselected. */
export type ContactValues = { methods: Record<Channel, boolean>; contacts: ContactLists };

/** Channels that already have contacts are selected. */
export function contactValuesOf(contacts: ContactLists): ContactValues {
  return { methods: byChannel((channel) => contacts[channel].length > 0), contacts };
}

/** The request body: the contacts of the selected channels. */
export function chosenContacts({ methods, contacts }: ContactValues): ChosenContacts {
  return Object.fromEntries(
    CHANNELS.filter((channel) => methods[channel]).map((channel) => [channel, contacts[channel]]),
  );
}

/** Maps error paths of the schema to the form's fields; errors of single contacts go to the field that lists them. */
export function fieldErrors(fields: Record<string, ErrorCode>): Record<string, ErrorCode> {
  const errors: Record<string, ErrorCode> = {};
  for (const [path, code] of Object.entries(fields)) {
    const name = path === "contacts" ? "methods" : path.replace(/^(contacts\.\w+)\..*$/, "$1");
    errors[name] ??= code;
  }
  return errors;
}

/** Error codes by field, from a schema that the server uses too. */
export function errorsBy(schema: v.GenericSchema, sent: unknown): FormErrors {
  const { issues = [] } = v.safeParse(schema, sent);
  const fields: Record<string, ErrorCode> = {};
  for (const issue of issues) fields[v.getDotPath(issue) ?? ""] ??= issue.message as ErrorCode;
  return fieldErrors(fields);
}
