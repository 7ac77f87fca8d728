import { NativeSelect, Stack, Textarea } from "@mantine/core";
import { HANDLE_REASONS, type HandleReason, LONGEST_NOTE } from "../../src/shared/alert.ts";
import type { HandlingWords } from "../api/api.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import { OptionalLabel } from "../ui/form/optional_label.tsx";
import classes from "./handling.module.css";

/** The raw input of the fields. */
export type TypedWords = { reason: HandleReason | ""; note: string };

export const emptyWords: TypedWords = { reason: "", note: "" };

export function sentWords({ reason, note }: TypedWords): HandlingWords {
  return { reason: reason || null, note: note.trim() || null };
}

type Props = { words: TypedWords; onChange: (words: TypedWords) => void };

/** The optional reason and note for marking alerts as handled. */
export function WordsFields({ words, onChange }: Props) {
  const text = useText();
  const reasonText = useTopic("handling");
  const { reason, note } = words;
  const reasons = HANDLE_REASONS.map((value) => ({ value, label: reasonText(value, value) }));
  const over = note.trim().length - LONGEST_NOTE;
  return (
    <Stack gap="sm">
      <NativeSelect
        label={<OptionalLabel label={text("alerts.reason")} />}
        data={[{ value: "", label: text("alerts.no_reason") }, ...reasons]}
        value={reason}
        onChange={({ currentTarget }) => onChange({ ...words, reason: currentTarget.value as TypedWords["reason"] })}
        data-autofocus
      />
      <Textarea
        label={<OptionalLabel label={text("alerts.note")} />}
        description={text("alerts.note_hint")}
        rows={3}
        attributes={{ input: { dir: "auto" } }}
        value={note}
        onChange={({ currentTarget }) => onChange({ ...words, note: currentTarget.value })}
        error={over > 0 && text("alerts.note_over", { count: over })}
      />
      <p className={classes.counter} data-over={over > 0 || undefined}>
        {text("alerts.note_count", { used: note.trim().length, max: LONGEST_NOTE })}
      </p>
    </Stack>
  );
}
