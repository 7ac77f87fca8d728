import { Button, Group, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { LONGEST_NOTE } from "../../src/shared/alert.ts";
import type { HandlingWords } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { type Asked, useChangedToast, useChangeState } from "./alert_mutations.ts";
import { useBreachName } from "./breach_name.ts";
import { type Conflict, lookAgain, notYetChanged } from "./conflict.ts";
import { ConflictNotice, FailureNotice } from "./handling_notices.tsx";
import { emptyWords, sentWords, type TypedWords, WordsFields } from "./handling_words.tsx";

type Props = { opened: boolean; asked: Asked; onClose: () => void };

/** Confirms the change, with reason and note; a failure or a conflict keeps the input. */
export function HandleDialog({ opened, asked, onClose }: Props) {
  const text = useText();
  return (
    <Dialog opened={opened} onClose={onClose} title={text("alerts.sure")}>
      {opened && <HandleForm asked={asked} onClose={onClose} />}
    </Dialog>
  );
}

function HandleForm({ asked, onClose }: Omit<Props, "opened">) {
  const text = useText();
  const { target } = asked;
  const [words, setWords] = useState<TypedWords>({ ...emptyWords, reason: asked.reason ?? "" });
  const { alerts, conflicts, error, pending, turn } = useConfirmed(asked, onClose);
  const isTooLong = words.note.trim().length > LONGEST_NOTE;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isTooLong && !pending) void turn(sentWords(words));
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {conflicts.length > 0 ? (
          <ConflictNotice conflicts={conflicts} target={target} />
        ) : (
          <Text>
            <Question asked={asked} />
          </Text>
        )}
        {target === "handled" && <WordsFields words={words} onChange={setWords} />}
        {error !== null && <FailureNotice error={error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {text(alerts.length > 0 ? "cancel" : "close")}
          </Button>
          {alerts.length > 0 && (
            <Button type="submit" loading={pending} data-autofocus={target === "pending" || undefined}>
              <ConfirmLabel count={alerts.length} target={target} />
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** Changes the remaining alerts; those in conflict stay in the dialog with their current state. */
function useConfirmed({ alerts: asked, target, onChanged }: Asked, onClose: () => void) {
  const [alerts, setAlerts] = useState(asked);
  const [conflicts, setConflicts] = useState<Conflict[]>([]);
  const [error, setError] = useState<unknown>(null);
  const { mutateAsync, isPending } = useChangeState();
  const tell = useChangedToast();
  async function turnThem(words: HandlingWords) {
    setError(null);
    const answer = await mutateAsync({ alerts, target, words });
    tell(answer.changed, alerts, target);
    onChanged?.(answer.changed.map(({ id }) => id));
    if (answer.conflicts.length === 0) return onClose();
    const left = alerts.filter(({ id }) => answer.conflicts.includes(id));
    setAlerts(left);
    const seen = await lookAgain(left);
    setConflicts(seen);
    setAlerts(notYetChanged(seen, target));
  }
  return {
    alerts,
    conflicts,
    error,
    pending: isPending,
    turn: (words: HandlingWords) => turnThem(words).catch(setError),
  };
}

function Question({ asked: { alerts, target } }: { asked: Asked }) {
  const text = useText();
  const nameOf = useBreachName();
  const [first] = alerts;
  if (alerts.length === 1 && first) {
    const name = { title: nameOf(first), address: first.address };
    return text(target === "handled" ? "alerts.sure_text" : "alerts.sure_reopen", name);
  }
  return text(target === "handled" ? "alerts.sure_some" : "alerts.sure_reopen_some", { count: alerts.length });
}

function ConfirmLabel({ count, target }: { count: number; target: Asked["target"] }) {
  const text = useText();
  if (count === 1) return text(target === "handled" ? "alerts.handle" : "alerts.reopen");
  return text(target === "handled" ? "alerts.handle_some" : "alerts.reopen_some", { count });
}
