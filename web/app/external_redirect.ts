import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useShowError } from "./errors.tsx";
import type { TextId } from "./text_id.ts";

type Options<Input> = {
  /** Requests the address to go to. */
  ask: (input: Input) => Promise<{ url: string }>;
  /** The title of the error dialog when the request fails. */
  failureTitle: TextId;
};

/**
 * State of a button that redirects to an external page: further clicks are ignored until that page loads or the request
 * fails.
 */
export function useExternalRedirect<Input = void>({ ask, failureTitle }: Options<Input>) {
  const showError = useShowError(failureTitle);
  const isUnderWay = useRef(false);
  const { mutate, reset, isPending, isSuccess, variables } = useMutation({
    mutationFn: ask,
    onSuccess: ({ url }) => location.assign(url),
    onError(error) {
      isUnderWay.current = false;
      showError(error);
    },
  });
  const pending = isPending || isSuccess;
  useEffect(() => {
    // The back-forward cache can restore this page with its button still disabled.
    const again = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      isUnderWay.current = false;
      reset();
    };
    addEventListener("pageshow", again);
    return () => removeEventListener("pageshow", again);
  }, [reset]);
  function go(input: Input) {
    // A second click can arrive before React has rendered the pending state.
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(input);
  }
  return { go, pending, input: pending ? variables : undefined };
}
