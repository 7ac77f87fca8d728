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
 * Takes the place of Sonner's own in the app (`vite.config.ts`): a first screen that came with its document has nothing to
 * say yet, so there Sonner is fetched when somebody first does something, or something is to be said.
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
    // What is said is read out where its place is there before.
    if (document.querySelector("#root[data-providers]") === null) fetchNow();
    else onFirstInteraction(fetchNow);
  }, []);
  useEffect(() => {
    // Its own effects come before this one, so it hears what is said from here on.
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
 * Sonner sends the focus back whenever it leaves a toast, so that Tab could never get past one. Here Sonner does not learn
 * of the focus, and it is sent back only when a button closes the toast that holds it.
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
