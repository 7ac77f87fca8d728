import { Button, Group, Stack, Text } from "@mantine/core";
import { IconCircleCheck, IconClock, IconClockExclamation, IconMailForward } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Letter } from "../api/api.ts";
import { put, remove } from "../api/call.ts";
import { useSingleMutation } from "../api/single_mutation.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { PageHead } from "../ui/frame/page_head.tsx";
import { Complaint } from "./complaint.tsx";
import { lettersQuery } from "./queries.ts";

/** The letters that a person has sent, and their deadlines. */
export default function Letters() {
  const text = useText();
  const letters = useQuery(lettersQuery);
  return (
    <>
      <div data-screen-only>
        <PageHead title={text("letters.title")}>{text("letters.lead")}</PageHead>
      </div>
      <Fetched query={letters} failureTitle={text("letters.load_failed")} height={240}>
        {({ items }) => (items.length === 0 ? <NoLetters /> : <List letters={items} />)}
      </Fetched>
    </>
  );
}

function NoLetters() {
  const text = useText();
  return (
    <Card>
      <EmptyState order={2} icon={IconMailForward} title={text("letters.none")}>
        {text("letters.none_text")}
      </EmptyState>
    </Card>
  );
}

function List({ letters }: { letters: Letter[] }) {
  const [complaining, setComplaining] = useState<string>();
  return (
    <Stack gap="md">
      {letters.map((letter) => (
        <div key={letter.id} data-screen-only={complaining !== letter.id || undefined}>
          <Row
            letter={letter}
            isComplaining={complaining === letter.id}
            onComplain={() => setComplaining(complaining === letter.id ? undefined : letter.id)}
          />
        </div>
      ))}
    </Stack>
  );
}

type RowProps = { letter: Letter; isComplaining: boolean; onComplain: () => void };

function Row({ letter, isComplaining, onComplain }: RowProps) {
  const text = useText();
  const day = useDay();
  const { company, address, asks, sentOn, overdue } = letter;
  return (
    <Stack gap="md">
      <div data-screen-only>
        <Card>
          <Stack gap="xs">
            <Group justify="space-between" gap="sm">
              <Text component="h2" fw={600} className="breakable">
                {company}
              </Text>
              <StateOf letter={letter} />
            </Group>
            <Text size="sm" c="dimmed">
              <Address>{address}</Address> · {text("letters.sent", { date: day(sentOn) })}
            </Text>
            <ul>
              {asks.map((ask) => (
                <li key={ask}>{text(`letter.ask.${ask}`)}</li>
              ))}
            </ul>
            <Group gap="sm">
              <AnswerButton letter={letter} />
              {overdue && (
                <Button size="sm" variant="light" aria-expanded={isComplaining} onClick={onComplain}>
                  {text("letters.complain")}
                </Button>
              )}
              <RemoveButton letter={letter} />
            </Group>
          </Stack>
        </Card>
      </div>
      {isComplaining && <Complaint letter={letter} />}
    </Stack>
  );
}

function useDay() {
  const formatDate = useFormatDate();
  return (iso: string) => formatDate(iso, { dateStyle: "medium", timeZone: "UTC" });
}

function StateOf({ letter: { answered, overdue, dueOn } }: { letter: Letter }) {
  const text = useText();
  const day = useDay();
  if (answered)
    return (
      <Badge tone="safe" icon={IconCircleCheck}>
        {text("letters.answered")}
      </Badge>
    );
  if (dueOn === null) return <Badge tone="note">{text("letters.no_deadline")}</Badge>;
  return overdue ? (
    <Badge tone="alarm" icon={IconClockExclamation}>
      {text("letters.overdue", { date: day(dueOn) })}
    </Badge>
  ) : (
    <Badge tone="accent" icon={IconClock}>
      {text("letters.due", { date: day(dueOn) })}
    </Badge>
  );
}

function AnswerButton({ letter: { id, answered } }: { letter: Letter }) {
  const text = useText();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => put("/api/letters/:id/answered", { params: { id }, body: { answered: !answered } }),
    onError: useShowError("letters.change_failed"),
    onSettled: () => queryClient.invalidateQueries(lettersQuery),
  });
  return (
    <Button size="sm" variant="default" loading={isPending} onClick={() => mutate()}>
      {text(answered ? "letters.mark_unanswered" : "letters.mark_answered")}
    </Button>
  );
}

function RemoveButton({ letter: { id } }: { letter: Letter }) {
  const text = useText();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => remove("/api/letters/:id", { params: { id } }),
    onError: useShowError("letters.change_failed"),
    onSettled: () => queryClient.invalidateQueries(lettersQuery),
  });
  return (
    <>
      <Button size="sm" variant="subtle" onClick={() => setAsking(true)}>
        {text("letters.remove")}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={text("letters.remove")}
        confirmLabel={text("letters.remove")}
        danger
        pending={isPending}
        onConfirm={() => mutate()}
      >
        {text("letters.remove_sure")}
      </ConfirmDialog>
    </>
  );
}
