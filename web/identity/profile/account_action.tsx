import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useShowError } from "../../app/errors.tsx";
import type { TextId } from "../../app/text_id.ts";
import { useConfirmed } from "../../ui/dialog/confirmation.tsx";
import { useFocusKept } from "../../ui/dialog/focus.ts";

type Changed = "/api/profile" | "/api/me" | "/api/factors" | "/api/sessions" | "/api/tokens" | "/api/providers";

/** Returns a function that refetches what an account action has changed, and the recent activity, which records it. */
export function useRefresh(...changed: Changed[]) {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([...changed, "/api/activity"].map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}

type Options<Input, Answer> = {
  call: (input: Input) => Promise<Answer>;
  changes: Changed[];
  failureTitle: TextId;
  onDone: (answer: Answer, input: Input) => void;
};

/** An account action behind a button, with reauthentication where the server requires it. */
export function useAccountAction<Answer, Input = void>({
  call,
  changes,
  failureTitle,
  onDone,
}: Options<Input, Answer>) {
  const confirmed = useConfirmed();
  const refresh = useRefresh(...changes);
  const mutation = useMutation({
    mutationFn: (input: Input) => confirmed(() => call(input)),
    onSuccess: async (answer, input) => {
      await refresh();
      onDone(answer, input);
    },
    onError: useShowError(failureTitle),
  });
  useFocusKept(mutation.isPending);
  return mutation;
}
