import { normaliseEmail } from "../shared/email_address.ts";
import { type ErrorCode, fail, ok, type Result } from "../shared/result.ts";
import { MAX_BULK } from "./inputs.ts";
import type { TrackingDeps } from "./ports.ts";

/** A line of the pasted or uploaded text; `problem` says why its address cannot be added. */
export type BulkLine = { line: number; text: string; address: string | null; problem: ErrorCode | null };
export type BulkPreview = { lines: BulkLine[]; addable: number };

const LONGEST_SHOWN = 120;
const HEADINGS = new Set(["email", "e-mail", "mail", "email address", "address", "adresse", "e-mail-adresse"]);

/** An address after a display name, as mail programs write it. */
const NAMED = /<([^<>]*)>$/;

/** The address of each line: the first cell that looks like one, so that CSV exports can be used unchanged. */
export function linesOf(text: string): { line: number; text: string; address: string | undefined }[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  return lines.flatMap((content, index) => {
    const cells = content.split(/[,;\t]/).map((cell) =>
      cell
        .trim()
        .replace(/^"(.*)"$/s, "$1")
        .trim(),
    );
    const isHeading = index === 0 && cells.some((cell) => HEADINGS.has(cell.toLowerCase()));
    if (isHeading || cells.every((cell) => cell === "")) return [];
    const typed = cells.find((cell) => cell.includes("@")) ?? cells.find((cell) => cell !== "") ?? "";
    return [
      {
        line: index + 1,
        text: typed.slice(0, LONGEST_SHOWN),
        address: normaliseEmail(NAMED.exec(typed)?.[1] ?? typed),
      },
    ];
  });
}

/** Previews many addresses before they are added. */
export function bulk({ transaction, planGate, ownAddress, consentGate }: TrackingDeps) {
  return {
    async previewBulk(accountId: string, text: string): Promise<Result<BulkPreview, "BULK_TOO_LARGE">> {
      const lines = linesOf(text);
      if (lines.length > MAX_BULK) return fail("BULK_TOO_LARGE");
      const { active, cap } = await planGate.of(accountId);
      const own = await ownAddress.of(accountId);
      const typed = lines.flatMap(({ address }) => (address === undefined || address === own ? [] : [address]));
      const declined = await consentGate.of(accountId, [...new Set(typed)]);
      const addresses = lines.flatMap(({ address }) => address ?? []);
      const { tracked, used } = await transaction(async ({ associations }) => ({
        tracked: new Set(await associations.listTracked(accountId, [...new Set(addresses)])),
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
