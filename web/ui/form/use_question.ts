import { useRef, useState } from "react";

/** A question within an asynchronous operation: `ask` resolves when the dialog calls `yes` or `no`. */
export function useQuestion() {
  const [opened, setOpened] = useState(false);
  const asked = useRef<PromiseWithResolvers<boolean>>(undefined);
  function ask(): Promise<boolean> {
    asked.current ??= Promise.withResolvers<boolean>();
    setOpened(true);
    return asked.current.promise;
  }
  function answer(isYes: boolean) {
    asked.current?.resolve(isYes);
    asked.current = undefined;
    setOpened(false);
  }
  return { opened, ask, yes: () => answer(true), no: () => answer(false) };
}
