import { useMutation } from "@tanstack/react-query";
import { useRefreshContacts } from "../api/queries.ts";
import { useShowError } from "../app/errors.tsx";
import type { TextId } from "../app/text_id.ts";

type Action<Input, Answer> = {
  call: (input: Input) => Promise<Answer>;
  /** The title of the error dialog. */
  failureTitle: TextId;
  onDone: (answer: Answer) => void;
};

/** An action on a contact. Whether it succeeds or not, the contacts are refetched. */
export function useContactAction<Answer, Input = void>({ call, failureTitle, onDone }: Action<Input, Answer>) {
  const refresh = useRefreshContacts();
  return useMutation({
    mutationFn: call,
    onSuccess: onDone,
    onError: useShowError(failureTitle),
    onSettled: () => void refresh(),
  });
}
