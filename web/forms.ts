import { type FormErrors, type UseFormReturnType, useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { type ApiError, isApiError } from "./api.ts";
import { typedBefore } from "./drawn.ts";
import { useShowError } from "./errors.tsx";
import { useErrorText } from "./i18n.tsx";
import type { TextId } from "./text_id.ts";
import { useFocusKept } from "./ui/focus.ts";
import { useDraft } from "./use_draft.ts";

type Options<Values, Answer> = {
  initialValues: Values;
  /** Codes by field, from the schema that the server uses too. */
  validate: (values: Values) => FormErrors;
  /** What `validate` needs and a first page comes without; should it not be had, the server alone decides. */
  fetched?: () => Promise<unknown>;
  send: (values: Values) => Promise<Answer>;
  /** The heading of the modal for failures that concern no field. */
  failureTitle: TextId;
  onSuccess: (answer: Answer, values: Values) => void;
  /** Which fields a failure belongs to, where it does not say so itself. */
  fieldsOf?: (error: ApiError) => FormErrors;
  /** What has to be typed anew after a field error, such as a one-time code. */
  emptied?: Partial<Values>;
  /**
   * The name of a form whose work is worth keeping when the session ends in the middle: after the login it is back. It rests
   * in the tab's storage meanwhile, so a form with a password, a code or another secret has no such name.
   */
  draft?: string | undefined;
};

/**
 * A form that the server has the last word on: its field errors appear at the fields like ours, everything else in the
 * modal, and nothing that was typed is lost.
 */
export function useServerForm<Values extends Record<string, unknown>, Answer>({
  initialValues,
  validate,
  fetched,
  send,
  failureTitle,
  onSuccess,
  fieldsOf = ({ fields }) => fields,
  emptied,
  draft,
}: Options<Values, Answer>) {
  const form = useForm<Values>({ mode: "controlled", initialValues, validate });
  const element = useRef<HTMLFormElement>(null);
  const isUnderWay = useRef(false);
  const showError = useShowError(failureTitle);
  useDraft(draft, {
    read: () => (form.isDirty() ? form.getValues() : undefined),
    restore: (typed) => form.setValues(sameShape(initialValues, typed)),
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
      form.setErrors(fields);
    },
  });
  useFocusKept(isPending);
  useFocusOnError(element, form.errors);
  const sendIfValid = form.onSubmit((values) => {
    // Before the form has heard that it waits, it can be sent a second time.
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(values);
  });
  const submit = (event?: FormEvent<HTMLFormElement>) => {
    if (fetched === undefined) return sendIfValid(event);
    event?.preventDefault();
    void fetched()
      .catch(() => undefined)
      .then(() => sendIfValid());
  };
  useTypedBefore(element, (typed) => {
    const values = sameShape(initialValues, typed);
    if (Object.entries(values).some(([name, value]) => value !== initialValues[name])) form.setValues(values);
  });
  return { form, element, field: useField(form), submit, pending: isPending };
}

/** Takes over what was done in the form before it listened. */
function useTypedBefore(element: RefObject<HTMLFormElement | null>, restore: (typed: unknown) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form begins to listen
  useLayoutEffect(() => {
    const typed = typedBefore(element.current);
    if (typed === undefined) return;
    restore(typed.values);
    if (typed.sent) setTimeout(() => element.current?.requestSubmit());
  }, []);
}

/** What was kept, as far as the form still has such fields. */
function sameShape<Values extends Record<string, unknown>>(initialValues: Values, typed: unknown): Partial<Values> {
  const entries = Object.entries((typed ?? {}) as Partial<Values>);
  return Object.fromEntries(
    entries.filter(([name, value]) => typeof value === typeof initialValues[name]),
  ) as Partial<Values>;
}

/** Moves the focus to the first field that is wrong, when errors appear. */
function useFocusOnError(element: RefObject<HTMLFormElement | null>, errors: FormErrors) {
  const count = Object.keys(errors).length;
  const before = useRef(0);
  useEffect(() => {
    if (count > before.current) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    before.current = count;
  }, [count, element]);
}

/** Gives the props of a field by its path, for parts that several forms share. */
export type Field = ReturnType<typeof useField<Record<string, unknown>>>;

/** The props of a field, with its error code as a sentence. */
function useField<Values>(form: UseFormReturnType<Values>) {
  const errorText = useErrorText();
  return (path: Parameters<typeof form.getInputProps>[0], type: "input" | "checkbox" = "input") => {
    const { error, ...props } = form.getInputProps(path, { type });
    return { ...props, ...(error && { error: errorText(error) }) };
  };
}
