import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { useRouteError } from "react-router";
import { toast } from "sonner";
import { isApiError } from "./api.ts";
import { isCancelled } from "./cancelled.ts";
import { useErrorText, useText } from "./i18n.tsx";
import { isSessionEnd } from "./queries.ts";
import type { TextId } from "./text_id.ts";
import type { MessageDialog } from "./ui/message_dialog.tsx";
import { unveil } from "./veil.ts";

type Shown = { title: TextId; error: unknown };
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
      import("./ui/message_dialog.tsx").then(open, () => toast.error(explain(next.error)));
    },
    [explain],
  );
  return (
    <Show value={show}>
      {children}
      {Dialog && shown && (
        <Dialog
          opened={opened}
          title={text(shown.title)}
          message={explain(shown.error)}
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
  return useCallback((error: unknown) => errorText(isApiError(error) ? error.code : "GENERIC"), [errorText]);
}

/** Shows a screen's failures under that screen's title. An ended session leads to the login, a changed mind nowhere. */
export function useShowError(title: TextId) {
  const show = useContext(Show);
  return useCallback(
    (error: unknown) => {
      if (!isSessionEnd(error) && !isCancelled(error)) show({ title, error });
    },
    [show, title],
  );
}

/** The last resort: a page or its texts could not be loaded. Words come from index.html, in every language. */
export function RouteFailure() {
  const error = useRouteError();
  const template = document.querySelector<HTMLTemplateElement>("#boot-failure");
  const lines = [...(template?.content.querySelectorAll("p") ?? [])];
  useEffect(() => {
    console.error(error);
    unveil();
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
