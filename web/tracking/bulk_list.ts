import * as v from "valibot";
import type { ErrorCode } from "../../src/shared/result.ts";
import { bulkPreviewInput, MAX_BULK_TEXT } from "../../src/tracking/inputs.ts";

/** A larger file is rejected without reading it: UTF-16 has two bytes for each unit. */
export const MAX_FILE_BYTES = 2 * MAX_BULK_TEXT + 2;

/** The error code if the list cannot be validated. */
export function listProblem(text: string): ErrorCode | undefined {
  if (text.trim() === "") return "ADDRESS_REQUIRED";
  const { issues } = v.safeParse(bulkPreviewInput, { text });
  return issues?.[0].message as ErrorCode | undefined;
}
