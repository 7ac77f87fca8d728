import { LANGUAGE_OPTIONS } from "./language_picker.tsx";

/** A language's own name, as in the picker. */
export function languageName(code: string): string {
  return LANGUAGE_OPTIONS.find(({ value }) => value === code)?.label ?? code;
}
