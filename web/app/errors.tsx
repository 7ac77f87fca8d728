import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { useRouteError } from "react-router";
import { toast } from "sonner";
import { isApiError } from "../api/api.ts";
import { isCancelled } from "../api/cancelled.ts";
import { isSessionEnd } from "../api/queries.ts";
import type { MessageDialog } from "../ui/dialog/message_dialog.tsx";
import { fetchOverlays } from "../ui/dialog/use_overlays.ts";
import { showPage } from "./hide_page.ts";
import { useErrorText, useText } from "./i18n.tsx";
import type { TextId } from "./text_id.ts";

/** `unexpected` replaces the general message for unexpected errors. */
type Shown = { title: string; error: unknown; unexpected?: TextId | undefined };
type Dialog = typeof MessageDialog;
const Show = createContext<(shown: Shown) => void>(() => undefined);

/** Loads the dialog for errors, which no page opens with. */
export async function fetchErrorDialog() {
  const [dialog] = await Promise.all([import("../ui/dialog/message_dialog.tsx"), fetchOverlays()]);
  return dialog;
}

/**
 * Shows errors in one modal dialog above the screens. The dialog is fetched when first needed; if that fails, a toast
 * shows the error.
 */
export function ErrorModal({ children }: { children: ReactNode }) {
  const [Dialog, setDialog] = useState<Dialog>();
  const [shown, setShown] = useState<Shown>();
  const [opened, setOpened] = useState(false);
  const text = useText();
  const explain = useExplain();
  const show = useCallback(
    (next: Shown) => {
      const open = (loaded: { MessageDialog: Dialog }) => {
        setDialog(() => loaded.MessageDialog);
        setShown(next);
        setOpened(true);
      };
      fetchErrorDialog().then(open, () => toast.error(explain(next.error, next.unexpected)));
    },
    [explain],
  );
  return (
    <Show value={show}>
      {children}
      {Dialog && shown && (
        <Dialog
          opened={opened}
          title={shown.title}
          message={explain(shown.error, shown.unexpected)}
          closeLabel={text("close")}
          onClose={() => setOpened(false)}
        />
      )}
    </Show>
  );
}

/** Returns a function that translates an error: the message of its code, or the general one for unexpected errors. */
export function useExplain() {
  const errorText = useErrorText();
  const text = useText();
  return useCallback(
    (error: unknown, unexpected?: TextId) => {
      const { code, publicUrl } = isApiError(error) ? error : { code: "GENERIC" as const };
      if (publicUrl !== undefined) return text("error.other_address", { publicUrl });
      return code === "GENERIC" && unexpected ? text(unexpected) : errorText(code);
    },
    [errorText, text],
  );
}

/**
 * Returns a function that shows errors under the screen's title. It ignores a cancelled operation and an ended session,
 * which leads to the login elsewhere.
 */
export function useShowError(title: TextId, unexpected?: TextId) {
  const text = useText();
  const showUnder = useShowUnder(unexpected);
  return useCallback((error: unknown) => showUnder(text(title), error), [showUnder, text, title]);
}

/** Like `useShowError`, with a title that is already translated. */
export function useShowUnder(unexpected?: TextId) {
  const show = useContext(Show);
  return useCallback(
    (title: string, error: unknown) => {
      if (!isSessionEnd(error) && !isCancelled(error)) show({ title, error, unexpected });
    },
    [show, unexpected],
  );
}

/**
 * The error boundary for a page or texts that could not be loaded. Its text comes from index.html, which has it in
 * every language.
 */
export function RouteFailure() {
  const error = useRouteError();
  const template = document.querySelector<HTMLTemplateElement>("#boot-failure");
  const lines = [...(template?.content.querySelectorAll("p") ?? [])];
  useEffect(() => {
    console.error(error);
    showPage();
  }, [error]);
  return (
    <main className="boot">
      {lines.map(({ lang, textContent }) => (
        <p key={lang || textContent} lang={lang}>
          {textContent}
        </p>
      ))}
    </main>
  );
}
