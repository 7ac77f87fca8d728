import { hashKey, type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

/** A mutation that ignores a call whose input is already being sent; calls with other inputs run in parallel. */
export function useSingleMutation<Answer, Input = void>(options: UseMutationOptions<Answer, Error, Input>) {
  const underWay = useRef(new Set<string>());
  const mutation = useMutation<Answer, Error, Input>({
    ...options,
    async onSettled(...settled) {
      const [, , input] = settled;
      try {
        await options.onSettled?.(...settled);
      } finally {
        underWay.current.delete(hashKey([input]));
      }
    },
  });
  const mutate: typeof mutation.mutate = (...call) => {
    const key = hashKey([call[0]]);
    // A second click can arrive before React has rendered the pending state.
    if (underWay.current.has(key)) return;
    underWay.current.add(key);
    mutation.mutate(...call);
  };
  return { ...mutation, mutate };
}
