import { type FormErrors, type UseFormReturnType, useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { type ApiError, isApiError } from "../api/api.ts";
import { useShowError } from "../app/errors.tsx";
import { type Meanwhile, typedBefore } from "../app/hydration_handover.ts";
import { useErrorText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { useFocusKept } from "../ui/dialog/focus.ts";
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
  /** Its sentence for what nobody foresaw; else the general one. */
  unexpected?: TextId;
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
  unexpected,
  onSuccess,
  fieldsOf = ({ fields }) => fields,
  emptied,
  draft,
}: Options<Values, Answer>) {
  const form = useForm<Values>({ mode: "controlled", initialValues, validate });
  const element = useRef<HTMLFormElement>(null);
  const isUnderWay = useRef(false);
  const showError = useShowError(failureTitle, unexpected);
  useDraft(draft, {
    read: () => (form.isDirty() ? form.getValues() : undefined),
    restore: (typed) => form.setValues(sameShape(initialValues, typed)),
  });
  /** On its way since before the form listened. */
  const early = useRef<Promise<unknown>>(undefined);
  const { mutate, isPending } = useMutation({
    mutationFn(values: Values) {
      const answer = (early.current as Promise<Answer> | undefined) ?? send(values);
      early.current = undefined;
      return answer;
    },
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
  const isNews = useFocusOnError(element, form.errors);
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
  useTypedBefore((typed, { isSent, answer, errors }) => {
    const values = sameShape(initialValues, typed);
    if (Object.entries(values).some(([name, value]) => value !== initialValues[name])) form.setValues(values);
    if (errors) {
      isNews.current = false;
      form.setErrors(errors);
    }
    if (answer) {
      isUnderWay.current = true;
      early.current = answer;
      mutate({ ...initialValues, ...values });
    }
    if (isSent) setTimeout(() => element.current?.requestSubmit());
  });
  return { form, element, field: useField(form), submit, pending: isPending };
}

/** Takes over what was done in the form before it listened. */
function useTypedBefore(restore: (typed: unknown, meanwhile: Meanwhile) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form begins to listen
  useLayoutEffect(() => {
    const typed = typedBefore();
    if (typed) restore(typed.values, typed);
  }, []);
}

/** What was kept, as far as the form still has such fields. */
function sameShape<Values extends Record<string, unknown>>(initialValues: Values, typed: unknown): Partial<Values> {
  const entries = Object.entries((typed ?? {}) as Partial<Values>);
  return Object.fromEntries(
    entries.filter(([name, value]) => typeof value === typeof initialValues[name]),
  ) as Partial<Values>;
}

/** Moves the focus to the first field that is wrong, when errors appear. Those that were there before are no news. */
function useFocusOnError(element: RefObject<HTMLFormElement | null>, errors: FormErrors): RefObject<boolean> {
  const count = Object.keys(errors).length;
  const before = useRef(0);
  const isNews = useRef(true);
  useEffect(() => {
    const appeared = count > before.current;
    if (appeared && isNews.current) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    if (appeared) isNews.current = true;
    before.current = count;
  }, [count, element]);
  return isNews;
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
