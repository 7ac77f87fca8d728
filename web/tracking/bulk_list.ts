import * as v from "valibot";
import type { ErrorCode } from "../../src/shared/result.ts";
import { bulkPreviewInput } from "../../src/tracking/inputs.ts";

/** A larger file is rejected without reading it. */
export const MAX_FILE_BYTES = 60 * 1024;

/** The error code if the list cannot be validated. */
export function listProblem(text: string): ErrorCode | undefined {
  if (text.trim() === "") return "ADDRESS_REQUIRED";
  const { issues } = v.safeParse(bulkPreviewInput, { text });
  return issues?.[0].message as ErrorCode | undefined;
}
