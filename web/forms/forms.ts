import { type FormErrors, type UseFormReturnType, useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type ApiError, isApiError } from "../api/api.ts";
import { fetchErrorDialog, useShowError } from "../app/errors.tsx";
import { type Meanwhile, takePrehydrationInput } from "../app/hydration_handover.ts";
import { useErrorText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { useDraft } from "./use_draft.ts";

type Options<Values, Answer> = {
  initialValues: Values;
  /** Returns error codes by field, from the schema that the server uses too. */
  validate: (values: Values) => FormErrors;
  send: (values: Values) => Promise<Answer>;
  /** The title of the error dialog for failures that concern no field. */
  failureTitle: TextId;
  /** The message for unexpected errors; by default the general one. */
  unexpected?: TextId;
  onSuccess: (answer: Answer, values: Values) => void;
  /** Assigns a failure to fields when the response does not name them. */
  fieldsOf?: (error: ApiError) => FormErrors;
  /** Values to reset after a field error, such as a one-time code. */
  emptied?: Partial<Values>;
  /**
   * The key under which the input is kept as a draft when the session ends, until the next login. Drafts are stored in
   * the tab's session storage, so forms with passwords, codes or other secrets have no key.
   */
  draft?: string | undefined;
};

/**
 * A form that the server validates too: its field errors appear at the fields like local ones, other failures in the
 * error dialog, and no input is lost.
 */
export function useServerForm<Values extends Record<string, unknown>, Answer>({
  initialValues,
  validate,
  send,
  failureTitle,
  unexpected,
  onSuccess,
  fieldsOf = ({ fields }) => fields,
  emptied,
  draft,
}: Options<Values, Answer>) {
  const form = useForm<Values>({ mode: "controlled", initialValues, validate });
  const { element, focusInvalid } = useInvalidFocus();
  const isUnderWay = useRef(false);
  const showError = useShowError(failureTitle, unexpected);
  useDraft(draft, {
    read: () => (form.isDirty() ? form.getValues() : undefined),
    restore: (typed) => form.setValues(matchingFields(initialValues, typed)),
  });
  const { mutate, isPending } = useMutation({
    mutationFn: send,
    onSuccess,
    onSettled() {
      isUnderWay.current = false;
    },
    onError: (error) => {
      const fields = isApiError(error) ? fieldsOf(error) : {};
      if (Object.keys(fields).length === 0) return showError(error);
      if (emptied) form.setValues(emptied);
      refuse(fields);
    },
  });
  /** Shows errors that the form itself has not found. */
  function refuse(errors: FormErrors) {
    form.setErrors(errors);
    focusInvalid();
  }
  const sendIfValid = form.onSubmit((values) => {
    // A second submit can arrive before React has rendered the pending state.
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(values);
  }, focusInvalid);
  const submit = (event?: FormEvent<HTMLFormElement>) => {
    // An error must not have to wait for its dialog.
    void fetchErrorDialog().catch(() => undefined);
    sendIfValid(event);
  };
  usePrehydrationInput((typed, { isSent }) => {
    const values = matchingFields(initialValues, typed);
    if (Object.entries(values).some(([name, value]) => value !== initialValues[name])) form.setValues(values);
    if (isSent) setTimeout(() => element.current?.requestSubmit());
  });
  return { form, element, field: useField(form), submit, refuse, pending: isPending };
}

/** Restores input and submission from before hydration. */
function usePrehydrationInput(restore: (typed: unknown, meanwhile: Meanwhile) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, when the form mounts
  useLayoutEffect(() => {
    const typed = takePrehydrationInput();
    if (typed) restore(typed.values, typed);
  }, []);
}

/** The stored values of fields that the form still has. */
function matchingFields<Values extends Record<string, unknown>>(
  initialValues: Values,
  typed: unknown,
): Partial<Values> {
  const entries = Object.entries((typed ?? {}) as Partial<Values>);
  return Object.fromEntries(
    entries.filter(([name, value]) => typeof value === typeof initialValues[name]),
  ) as Partial<Values>;
}

/** Moves the focus to the first invalid field on every failed submit, once its errors are rendered. */
function useInvalidFocus() {
  const element = useRef<HTMLFormElement>(null);
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    if (failures === 0) return;
    const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus();
    // A field that has the focus already is not scrolled into view by `focus()`.
    field?.scrollIntoView({ block: "nearest" });
  }, [failures]);
  return { element, focusInvalid: () => setFailures((count) => count + 1) };
}

/** Returns the props of a field by its path; for parts that several forms share. */
export type Field = ReturnType<typeof useField<Record<string, unknown>>>;

/** The props of a field, with its error code as a sentence. */
function useField<Values>(form: UseFormReturnType<Values>) {
  const errorText = useErrorText();
  return (path: Parameters<typeof form.getInputProps>[0], type: "input" | "checkbox" = "input") => {
    const { error, ...props } = form.getInputProps(path, { type });
    return { ...props, ...(error && { error: errorText(error) }) };
  };
}
