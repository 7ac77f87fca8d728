import * as v from "valibot";
import type { ErrorCode } from "../../src/shared/result.ts";
import { bulkPreviewInput } from "../../src/tracking/inputs.ts";

/** A larger file is not even read. */
export const MAX_FILE_BYTES = 60 * 1024;

/** Why a list cannot be looked at. */
export function listProblem(text: string): ErrorCode | undefined {
  if (text.trim() === "") return "ADDRESS_REQUIRED";
  const { issues } = v.safeParse(bulkPreviewInput, { text });
  return issues?.[0].message as ErrorCode | undefined;
}
