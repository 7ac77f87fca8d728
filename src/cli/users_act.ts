import { done, failed, text } from "./answer.ts";
import { type AppContext, type Command, command, type Given, type Options } from "./command.ts";

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
type Reasons = { reason: typeof reason };

/** An action on one account, given as the first argument. `why`: the reason that was given, or a default. */
type AccountAct<Named extends Options & Reasons> = Pick<
  Command<"app", Named>,
  "name" | "says" | "more" | "options" | "examples" | "asks" | "refuses"
> & {
  /** Arguments behind the account. */
  further?: Command["arguments"];
  act(product: AppContext["product"], accountId: string, given: Given<Named> & { why: string }): Promise<Decided>;
  done(given: Given<Named>): string;
  /** The account's resulting state, for machines. */
  facts(given: Given<Named>, product: AppContext["product"], accountId: string): object | Promise<object>;
  refusals?: Record<string, string>;
};

/** A command that finds the account, performs the action and reports the result. */
export function accountCommand<const Named extends Options & Reasons>({
  further = [],
  act,
  done: says,
  facts,
  refusals = {},
  ...of
}: AccountAct<Named>) {
  return command<"app", Named>({
    refuses: (given) => unfitReason(given as Reasoned),
    ...of,
    arguments: [account, ...further],
    room: "app",
    changes: true,
    async run({ product }, given) {
      const [typed = ""] = given.arguments;
      const found = await product.identity.accountNamed(typed);
      if (!found.ok) return failed("NOT_FOUND", `There is no account "${typed}"`);
      const { accountId } = found.value;
      const why = (given as Reasoned).options.reason ?? UNSAID;
      const decided = await act(product, accountId, { ...given, why });
      if (decided.ok)
        return done(
          { accountId, ...(await facts(given, product, accountId)) },
          text(`${typed}: ${says(given)}`, "good"),
        );
      return failed(decided.code, refusals[decided.code] ?? REFUSALS[decided.code] ?? `Refused: ${decided.code}`);
    },
  });
}
