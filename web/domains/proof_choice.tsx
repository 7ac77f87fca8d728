import { NativeSelect } from "@mantine/core";
import type { Proof } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { ChoiceCards } from "../ui/form/choice_cards.tsx";
import type { ChoiceValues } from "./proof_values.ts";

const PROOFS = ["dns", "file", "meta", "mail"] as const satisfies readonly Proof[];
const MAILBOXES = ["security", "hostmaster", "postmaster", "webmaster"];

type Props = { values: ChoiceValues; onChange: (change: Partial<ChoiceValues>) => void };

/** How to prove a domain, and to which of its mailboxes a code is sent. */
export function ProofChoice({ values: { proof, mailbox }, onChange }: Props) {
  const text = useText();
  return (
    <>
      <ChoiceCards
        legend={text("domains.how")}
        options={PROOFS.map((value) => ({
          value,
          title: text(`domains.proof.${value}`),
          hint: text(`domains.proof.${value}_text`),
        }))}
        value={proof}
        onChange={(next) => onChange({ proof: next })}
      />
      {proof === "mail" && (
        <NativeSelect
          label={text("domains.mailbox")}
          translate="no"
          data={MAILBOXES.map((value) => ({ value, label: `${value}@` }))}
          value={mailbox}
          onChange={({ currentTarget }) => onChange({ mailbox: currentTarget.value })}
        />
      )}
    </>
  );
}
