import { type ComponentProps, type FocusEvent, useEffect, useRef, useState } from "react";
import { onFirstInteraction } from "./first_interaction.ts";
import type * as Sonner from "./sonner.ts";

type Toast = typeof Sonner.toast;
type Said = Parameters<Toast["success"]>;

let fetching: Promise<typeof Sonner> | undefined;
let listens: (toast: Toast) => void;
const listening = new Promise<Toast>((resolve) => {
  listens = resolve;
});
let fetchNow: () => void = () => undefined;

function say(kind: "success" | "error" | "info") {
  return (...said: Said): void => {
    fetchNow();
    void listening.then((toast) => toast[kind](...said));
  };
}

/**
 * Replaces Sonner's `toast` in the app (`vite.config.ts`). On a prerendered page Sonner is loaded on the first
 * interaction or with the first toast.
 */
export const toast = { success: say("success"), error: say("error"), info: say("info") };

export function Toaster(props: ComponentProps<typeof Sonner.Toaster>) {
  const [Shown, setShown] = useState<typeof Sonner.Toaster>();
  useEffect(() => {
    fetchNow = () => {
      fetching ??= import("./sonner.ts");
      fetching.then(
        ({ Toaster }) => setShown(() => Toaster),
        () => {
          fetching = undefined;
        },
      );
    };
    // A live region must exist before its content changes, or screen readers do not announce it.
    if (document.querySelector("#root[data-instance]") === null) fetchNow();
    else onFirstInteraction(fetchNow);
  }, []);
  useEffect(() => {
    // Sonner's own effects run before this one, so it receives every toast from here on.
    if (Shown) void fetching?.then(({ toast }) => listens(toast));
  }, [Shown]);
  const focus = useFocusReturn();
  return Shown ? (
    <div {...focus}>
      <Shown {...props} />
    </div>
  ) : null;
}

/**
 * Sonner moves the focus back whenever it leaves a toast, so Tab could never get past one. Focus events are hidden from
 * Sonner, and the focus returns only when a button closes the toast that contains it.
 */
function useFocusReturn() {
  const previous = useRef<Element | null>(null);
  return {
    onFocusCapture(event: FocusEvent) {
      if (!event.currentTarget.contains(event.relatedTarget)) previous.current = event.relatedTarget;
      event.stopPropagation();
    },
    onClick({ target }: { target: EventTarget }) {
      const isButton = target instanceof Element && target.closest("button") !== null;
      if (isButton && previous.current instanceof HTMLElement) previous.current.focus({ preventScroll: true });
    },
  };
}
