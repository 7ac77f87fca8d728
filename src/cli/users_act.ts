import { type Answer, done, failed, text } from "./answer.ts";
import type { AppContext } from "./command.ts";

export const account = { name: "account", says: "its email address or its id" } as const;
export const reason = { kind: "text", value: "text", says: "why, for the audit log" } as const;
export const lastStaff = { kind: "flag", says: "even if no staff account is left afterwards" } as const;
export const BY = { by: "command_line" } as const;
export const UNSAID = "On the command line";

/** The limits of the operator's pages. */
const [SHORTEST, LONGEST] = [3, 500];
type Reasoned = { options: { reason: string | undefined } };

/** Validates the reason; returns an error message. */
export function unfitReason({ options }: Reasoned): string | undefined {
  const length = options.reason?.trim().length ?? SHORTEST;
  return length < SHORTEST || length > LONGEST ? `--reason takes ${SHORTEST} to ${LONGEST} characters` : undefined;
}

const REFUSALS: Record<string, string> = {
  NOT_FOUND: "There is nothing like that",
  STAFF_LAST: "Nobody of the staff would be left: say --even-last to do it all the same",
  STAFF_UNVERIFIED: "Its owner has not proven the address yet: staff has to sign in once first",
};

type Decided = { ok: true } | { ok: false; code: string };

/** Finds the account, performs the action and reports the result. */
export async function actOn(
  { product }: AppContext,
  typed: string,
  {
    act,
    says,
    facts,
    refusals = {},
  }: {
    act(accountId: string): Promise<Decided>;
    says: string;
    /** The account's resulting state, for machines. */
    facts(accountId: string): object | Promise<object>;
    refusals?: Record<string, string>;
  },
): Promise<Answer> {
  const found = await product.identity.accountNamed(typed);
  if (!found.ok) return failed("NOT_FOUND", `There is no account "${typed}"`);
  const { accountId } = found.value;
  const decided = await act(accountId);
  if (decided.ok) return done({ accountId, ...(await facts(accountId)) }, text(`${typed}: ${says}`, "good"));
  return failed(decided.code, refusals[decided.code] ?? REFUSALS[decided.code] ?? `Refused: ${decided.code}`);
}
