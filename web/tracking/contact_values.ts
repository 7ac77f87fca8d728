import type { FormErrors } from "@mantine/form";
import * as v from "valibot";
import { byChannel, CHANNELS, type Channel, type ContactLists } from "../../src/shared/contacts.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import type { ChosenContacts } from "../api/api.ts";

/** A method is chosen first, then filled with contacts; these stay while it is unticked. */
export type ContactValues = { methods: Record<Channel, boolean>; contacts: ContactLists };

/** The ways that have contacts already are chosen. */
export function contactValuesOf(contacts: ContactLists): ContactValues {
  return { methods: byChannel((channel) => contacts[channel].length > 0), contacts };
}

/** What the server is sent: the lists of the chosen methods, and no others. */
export function chosenContacts({ methods, contacts }: ContactValues): ChosenContacts {
  return Object.fromEntries(
    CHANNELS.filter((channel) => methods[channel]).map((channel) => [channel, contacts[channel]]),
  );
}

/** The schema's paths under the form's names: what is wrong with one contact is said at its list. */
export function fieldErrors(fields: Record<string, ErrorCode>): Record<string, ErrorCode> {
  const errors: Record<string, ErrorCode> = {};
  for (const [path, code] of Object.entries(fields)) {
    const name = path === "contacts" ? "methods" : path.replace(/^(contacts\.\w+)\..*$/, "$1");
    errors[name] ??= code;
  }
  return errors;
}

/** The codes of something that may not be sent yet, from the schema that the server uses too. */
export function errorsBy(schema: v.GenericSchema, sent: unknown): FormErrors {
  const { issues = [] } = v.safeParse(schema, sent);
  const fields: Record<string, ErrorCode> = {};
  for (const issue of issues) fields[v.getDotPath(issue) ?? ""] ??= issue.message as ErrorCode;
  return fieldErrors(fields);
}
