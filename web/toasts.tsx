import { type ComponentProps, useEffect, useState } from "react";
import { onFirstAct } from "./first_act.ts";
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
 * Takes the place of Sonner's own in the app (`vite.config.ts`). A page has nothing to say by itself, so Sonner is fetched
 * when somebody first does something, as what is said is read out where its place is there before; or else with the word.
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
    onFirstAct(fetchNow);
  }, []);
  useEffect(() => {
    // Its own effects come before this one, so it hears what is said from here on.
    if (Shown) void fetching?.then(({ toast }) => listens(toast));
  }, [Shown]);
  return Shown ? <Shown {...props} /> : null;
}
