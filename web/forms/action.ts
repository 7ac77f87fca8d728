import { useQueryClient } from "@tanstack/react-query";
import { useSingleMutation } from "../api/single_mutation.ts";
import { useShowError } from "../app/errors.tsx";
import type { TextId } from "../app/text_id.ts";

export type Action<Input, Answer> = {
  call: (input: Input) => Promise<Answer>;
  /** The title of the error dialog. */
  failureTitle: TextId;
  onDone?: (answer: Answer, input: Input) => void;
};

/**
 * An action behind a button. Whether it succeeds or conflicts with another change, the queries under these paths are
 * fetched again.
 */
export function useActionOn<Answer, Input>(
  paths: readonly string[],
  { call, failureTitle, onDone }: Action<Input, Answer>,
) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: call,
    ...(onDone && { onSuccess: onDone }),
    onError: useShowError(failureTitle),
    onSettled() {
      for (const path of paths) void queryClient.invalidateQueries({ queryKey: [path] });
    },
  });
}
