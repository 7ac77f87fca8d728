import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useFocusKept } from "../ui/dialog/focus.ts";
import { useShowError } from "./errors.tsx";
import type { TextId } from "./text_id.ts";

type Options<Input> = {
  /** Asks where to go. */
  ask: (input: Input) => Promise<{ url: string }>;
  /** The heading of the modal when there is no such page now. */
  failureTitle: TextId;
};

/** A button that leads to a page of somebody else: one press counts until that page comes, or cannot. */
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
  useFocusKept(pending);
  useEffect(() => {
    // The browser's "back" may bring this very page again, as it was left.
    const again = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      isUnderWay.current = false;
      reset();
    };
    addEventListener("pageshow", again);
    return () => removeEventListener("pageshow", again);
  }, [reset]);
  function go(input: Input) {
    // Before the button has heard that it waits, it can be pressed a second time.
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(input);
  }
  return { go, pending, input: pending ? variables : undefined };
}
