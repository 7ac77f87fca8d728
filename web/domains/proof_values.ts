import type { FormErrors } from "@mantine/form";
import * as v from "valibot";
import { domainInput } from "../../src/domains/inputs.ts";
import type { Proof, ProofChoice } from "../api/domains_api.ts";

export type ChoiceValues = { proof: Proof; mailbox: string };
export type DomainValues = ChoiceValues & { name: string };

export const FIRST_CHOICE: ChoiceValues = { proof: "dns", mailbox: "security" };

/** The request body; only a code by mail has a mailbox. */
export function choiceOf({ proof, mailbox }: ChoiceValues): ProofChoice {
  return proof === "mail" ? { proof, mailbox: mailbox as ProofChoice["mailbox"] } : { proof };
}

/** Error codes by field, from the schema that the server uses too. */
export function domainErrors(values: DomainValues): FormErrors {
  const { issues = [] } = v.safeParse(domainInput, { name: values.name, ...choiceOf(values) });
  return Object.fromEntries(issues.map((issue) => [v.getDotPath(issue) ?? "name", issue.message]));
}
