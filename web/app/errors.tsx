import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { useRouteError } from "react-router";
import { toast } from "sonner";
import { isApiError } from "../api/api.ts";
import { isCancelled } from "../api/cancelled.ts";
import { isSessionEnd } from "../api/queries.ts";
import type { MessageDialog } from "../ui/dialog/message_dialog.tsx";
import { showPage } from "./hide_page.ts";
import { useErrorText, useText } from "./i18n.tsx";
import type { TextId } from "./text_id.ts";

/** `unexpected`: the sentence for what nobody foresaw, where a screen has its own. */
type Shown = { title: string; error: unknown; unexpected?: TextId | undefined };
type Dialog = typeof MessageDialog;
const Show = createContext<(shown: Shown) => void>(() => undefined);

/** Shows failures in one modal above the screens. It is fetched when first needed; should that fail too, a toast tells. */
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
      import("../ui/dialog/message_dialog.tsx").then(open, () => toast.error(explain(next.error, next.unexpected)));
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

/** The sentence for a failure: its code's, or the general one for what nobody foresaw. */
export function useExplain() {
  const errorText = useErrorText();
  const text = useText();
  return useCallback(
    (error: unknown, unexpected?: TextId) => {
      const code = isApiError(error) ? error.code : "GENERIC";
      return code === "GENERIC" && unexpected ? text(unexpected) : errorText(code);
    },
    [errorText, text],
  );
}

/** Shows a screen's failures under that screen's title. An ended session leads to the login, a changed mind nowhere. */
export function useShowError(title: TextId, unexpected?: TextId) {
  const text = useText();
  const showUnder = useShowUnder(unexpected);
  return useCallback((error: unknown) => showUnder(text(title), error), [showUnder, text, title]);
}

/** The same, under a title that is at hand. */
export function useShowUnder(unexpected?: TextId) {
  const show = useContext(Show);
  return useCallback(
    (title: string, error: unknown) => {
      if (!isSessionEnd(error) && !isCancelled(error)) show({ title, error, unexpected });
    },
    [show, unexpected],
  );
}

/** The last resort: a page or its texts could not be loaded. Words come from index.html, in every language. */
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
