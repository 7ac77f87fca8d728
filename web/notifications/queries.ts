import { queryOptions, useMutation } from "@tanstack/react-query";
import { api } from "../api/api.ts";
import { useRefreshContacts } from "../api/queries.ts";
import { useShowError } from "../app/errors.tsx";
import type { TextId } from "../app/text_id.ts";
import { lookAgain } from "../shared/delivery_words.ts";

/** What has become of tests, until all of them have ended. */
export function testsQuery(ids: string[]) {
  return queryOptions({
    queryKey: ["/api/test-alerts", ids],
    queryFn: ({ signal }) => api.tests(ids, signal),
    refetchInterval: ({ state }) => lookAgain(state.data?.items),
  });
}

type Action<Input, Answer> = {
  call: (input: Input) => Promise<Answer>;
  /** The heading of the modal when it fails. */
  failureTitle: TextId;
  onDone: (answer: Answer) => void;
};

/** Something done to a contact. Whether it worked or not: how it does is fetched anew. */
export function useContactAction<Answer, Input = void>({ call, failureTitle, onDone }: Action<Input, Answer>) {
  const refresh = useRefreshContacts();
  return useMutation({
    mutationFn: call,
    onSuccess: onDone,
    onError: useShowError(failureTitle),
    onSettled: () => void refresh(),
  });
}
