import { Button, Group, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import type { Channel } from "../../src/shared/contacts.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import { type BulkPreview, isApiError } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useShowError } from "../app/errors.tsx";
import { useErrorText, useText } from "../app/i18n.tsx";
import { useDraft } from "../forms/use_draft.ts";
import { BulkForm } from "./bulk_form.tsx";
import { BulkLines } from "./bulk_lines.tsx";
import { listProblem, MAX_FILE_BYTES } from "./bulk_list.ts";
import { ListFile } from "./list_file.tsx";
import classes from "./track_form.module.css";
import type { SettingValues } from "./track_values.ts";

type Props = { initialValues: SettingValues; offered: readonly Channel[] | undefined; onDone: (count: number) => void };

/** Adds many addresses: a list, the server's verdict on each line, then one form for all valid ones. */
export function Bulk({ initialValues, offered, onDone }: Props) {
  const [list, setList] = useState("");
  const [preview, setPreview] = useState<BulkPreview>();
  const { problem, setProblem, check, pending } = useCheck(setPreview);
  useDraft("new-track/list", { read: () => list || undefined, restore: (typed) => setList(String(typed)) });
  if (preview === undefined) {
    return (
      <ListForm
        list={list}
        problem={problem}
        pending={pending}
        onList={(next) => {
          setList(next);
          setProblem(undefined);
        }}
        onProblem={setProblem}
        onCheck={check}
      />
    );
  }
  return (
    <div className={classes.form}>
      <BulkLines preview={preview} onBack={() => setPreview(undefined)} />
      {preview.addable > 0 && (
        <BulkForm
          addresses={preview.lines.flatMap(({ address, problem: wrong }) => (address && wrong === null ? address : []))}
          initialValues={initialValues}
          offered={offered}
          onRefused={() => check(list)}
          onDone={onDone}
        />
      )}
    </div>
  );
}

/** Has the server validate the list, without adding anything. */
function useCheck(onPreview: (preview: BulkPreview) => void) {
  const [problem, setProblem] = useState<ErrorCode>();
  const showError = useShowError("bulk.check_failed");
  const { mutate, isPending } = useMutation({
    mutationFn: (text: string) => post("/api/associations/bulk/preview", { body: { text } }),
    onSuccess: (preview) => (preview.lines.length === 0 ? setProblem("ADDRESS_REQUIRED") : onPreview(preview)),
    onError: (error) => {
      if (isApiError(error) && error.code === "BULK_TOO_LARGE") setProblem(error.code);
      else if (isApiError(error) && error.fields.text) setProblem(error.fields.text);
      else showError(error);
    },
  });
  function check(list: string) {
    const wrong = listProblem(list);
    setProblem(wrong);
    if (wrong === undefined) mutate(list);
  }
  return { problem, setProblem, check, pending: isPending };
}

type ListProps = {
  list: string;
  problem: ErrorCode | undefined;
  pending: boolean;
  onList: (list: string) => void;
  onProblem: (problem: ErrorCode) => void;
  onCheck: (list: string) => void;
};

function ListForm({ list, problem, pending, onList, onProblem, onCheck }: ListProps) {
  const text = useText();
  const errorText = useErrorText();
  const field = useRef<HTMLTextAreaElement>(null);
  function submit(event: FormEvent) {
    event.preventDefault();
    onCheck(list);
    if (listProblem(list)) field.current?.focus();
  }
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Textarea
        ref={field}
        label={text("bulk.list")}
        description={text("bulk.list_hint")}
        placeholder={"ada@example.org\ngrace@example.org"}
        rows={8}
        autoCapitalize="none"
        spellCheck={false}
        value={list}
        onChange={({ currentTarget }) => onList(currentTarget.value)}
        error={problem && errorText(problem)}
      />
      <Group justify="space-between" gap="sm">
        <ListFile
          label={text("bulk.file")}
          most={MAX_FILE_BYTES}
          onRead={(content) => {
            onList(content);
            onCheck(content);
          }}
          onTooLarge={() => onProblem("BULK_TOO_LARGE")}
        />
        <Button type="submit" loading={pending}>
          {text("bulk.check")}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {text("bulk.nothing_yet")}
      </Text>
    </form>
  );
}
