import type { FormErrors } from "@mantine/form";
import * as v from "valibot";
import type { AliasService } from "../../src/shared/aliases.ts";
import { aliasImportInput } from "../../src/tracking/inputs.ts";
import type { AliasImport } from "../api/api.ts";

/** The form that adds aliases. */
export type AliasValues = { from: "text" | AliasService; text: string; key: string; base: string };

export const NO_ALIASES: AliasValues = { from: "text", text: "", key: "", base: "" };

export function aliasImportOf({ from, text, key, base }: AliasValues): AliasImport {
  if (from === "text") return { from, text };
  return base.trim() === "" ? { from, key } : { from, key, base };
}

/** Error codes by field, from the server's schema. */
export function aliasErrors(values: AliasValues): FormErrors {
  if (values.from === "text" && values.text.trim() === "") return { text: "ADDRESS_REQUIRED" };
  const { issues = [] } = v.safeParse(aliasImportInput, aliasImportOf(values));
  return Object.fromEntries(issues.map(({ path, message }) => [String(path?.[0]?.key ?? "text"), message]));
}
