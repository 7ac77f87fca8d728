import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useEffect, useState } from "react";
import { useRouteError } from "react-router";
import { isApiError } from "./api.ts";
import { type TextId, useErrorText, useText } from "./i18n.tsx";
import { isSessionEnd } from "./queries.ts";

const loadDialog = () => import("./ui/message_dialog.tsx");
const MessageDialog = lazy(async () => ({ default: (await loadDialog()).MessageDialog }));

type Shown = { title: TextId; error: unknown };
const Show = createContext<(shown: Shown) => void>(() => undefined);

/** Shows failures in one modal above the screens. */
export function ErrorModal({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown>();
  const [opened, setOpened] = useState(false);
  const show = useCallback((next: Shown) => {
    setShown(next);
    setOpened(true);
  }, []);
  const text = useText();
  const explain = useExplain();
  useEffect(() => {
    // Fetched ahead: when the network fails, the dialog that says so must be here.
    loadDialog().catch(() => undefined);
  }, []);
  return (
    <Show value={show}>
      {children}
      {shown && (
        <Suspense>
          <MessageDialog
            opened={opened}
            title={text(shown.title)}
            message={explain(shown.error)}
            closeLabel={text("close")}
            onClose={() => setOpened(false)}
          />
        </Suspense>
      )}
    </Show>
  );
}

/** The sentence for a failure: its code's, or the general one for what nobody foresaw. */
export function useExplain() {
  const errorText = useErrorText();
  return (error: unknown) => errorText(isApiError(error) ? error.code : "GENERIC");
}

/** Shows a screen's failures under that screen's title. An ended session is no news: it leads to the login. */
export function useShowError(title: TextId) {
  const show = useContext(Show);
  return useCallback(
    (error: unknown) => {
      if (!isSessionEnd(error)) show({ title, error });
    },
    [show, title],
  );
}

/** The last resort: a page or its texts could not be loaded. Words come from index.html, in every language. */
export function RouteFailure() {
  const error = useRouteError();
  const template = document.querySelector<HTMLTemplateElement>("#boot-failure");
  const lines = [...(template?.content.querySelectorAll("p") ?? [])];
  useEffect(() => console.error(error), [error]);
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
