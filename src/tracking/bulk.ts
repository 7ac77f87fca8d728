import { type ErrorCode, fail, ok, type Result } from "../shared/result.ts";
import { MAX_BULK } from "./inputs.ts";
import { pastedAddresses } from "./pasted_addresses.ts";
import type { TrackingDeps } from "./ports.ts";

/** An address in the pasted or uploaded text; `problem` says why it cannot be added. A line may have several. */
export type BulkLine = { line: number; text: string; address: string | null; problem: ErrorCode | null };
export type BulkPreview = { lines: BulkLine[]; addable: number };

/** Previews many addresses before they are added. */
export function bulk({ transaction, planGate, ownAddress, consentGate }: TrackingDeps) {
  return {
    async previewBulk(accountId: string, text: string): Promise<Result<BulkPreview, "BULK_TOO_LARGE">> {
      const lines = pastedAddresses(text);
      if (lines.length > MAX_BULK) return fail("BULK_TOO_LARGE");
      const { active, cap } = await planGate.of(accountId);
      const own = await ownAddress.of(accountId);
      const typed = lines.flatMap(({ address }) => (address === undefined || address === own ? [] : [address]));
      const declined = await consentGate.of(accountId, [...new Set(typed)]);
      const addresses = lines.flatMap(({ address }) => address ?? []);
      const asked = [...new Set(addresses)];
      const { tracked, used } = await transaction(async ({ associations, aliases }) => ({
        tracked: new Set([
          ...(await associations.listTracked(accountId, asked)),
          ...(await aliases.listTracked(accountId, asked)),
        ]),
        used: await associations.countByAccount(accountId),
      }));
      const seen = new Set<string>();
      let room = (cap ?? Number.POSITIVE_INFINITY) - used;

      function problemOf(address: string | undefined): ErrorCode | null {
        if (address === undefined) return "EMAIL_INVALID";
        if (seen.has(address)) return "LINE_DUPLICATE";
        seen.add(address);
        if (tracked.has(address)) return "ADDRESS_ALREADY_TRACKED";
        if (declined.has(address)) return "INVITATION_DECLINED_RECENTLY";
        if (!active) return "USER_INACTIVE";
        return room-- > 0 ? null : "USER_INSUFFICIENT";
      }
      const checked = lines.map(({ address, ...line }) => ({
        ...line,
        address: address ?? null,
        problem: problemOf(address),
      }));
      return ok({ lines: checked, addable: checked.filter(({ problem }) => problem === null).length });
    },
  };
}
