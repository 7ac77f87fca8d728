import { type FormErrors, schemaResolver } from "@mantine/form";
import { profileInput } from "../../../src/identity/account/profile_inputs.ts";
import type { Profile } from "../../api/api.ts";

/** The form's values; an empty company name means none. */
export type ProfileValues = Pick<Profile, "firstName" | "lastName" | "language" | "defaultContacts"> & {
  companyName: string;
};

export function valuesOf({ firstName, lastName, language, companyName, defaultContacts }: Profile): ProfileValues {
  return { firstName, lastName, language, companyName: companyName ?? "", defaultContacts };
}

/** Moves errors of single contacts to the field that lists them. */
export function listErrors<Code>(errors: Record<string, Code>): Record<string, Code> {
  const found: Record<string, Code> = {};
  for (const [path, code] of Object.entries(errors)) {
    found[path.replace(/^(defaultContacts\.\w+)\..*$/, "$1")] ??= code;
  }
  return found;
}

const check = schemaResolver(profileInput, { sync: true });

/** Validates the profile; error codes by field. */
export function profileErrors(values: ProfileValues): FormErrors {
  return listErrors(check(values));
}
