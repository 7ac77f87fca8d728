import "./mantine.css";
import "sonner/dist/styles.css";
import "./styles.css";
import "./forced_colours.css";
import "./print.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { localisedPath, preferredLanguage, STORAGE_KEY, splitPath } from "./language.ts";
import { keepOfflinePage } from "./offline.ts";
import { createQueryClient } from "./queries.ts";
import { createRouter } from "./routes.tsx";
import { cssVariables, theme } from "./theme.ts";
import { watchSession } from "./watch_session.ts";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
// The name under which the scroll lock of Mantine's modals looks for the nonce of its style element.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const preferred = preferredLanguage(localStorage.getItem(STORAGE_KEY), navigator.languages);
const path = localisedPath(location.pathname, preferred);
if (path !== location.pathname) history.replaceState(null, "", path + location.search + location.hash);

const queryClient = createQueryClient(() => {
  void router.navigate(`/${splitPath(location.pathname).language ?? preferred}/login`, { replace: true });
});
const router = createRouter(queryClient);

watchSession({ router, queryClient });

function render() {
  const root = document.getElementById("root");
  if (root === null) throw new Error("Cannot find the root element");
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

// The static frame of index.html stays until the first page is ready: no empty moment in between.
if (router.state.initialized) render();
else {
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return;
    stop();
    render();
  });
}

// After everything that the first page needs.
addEventListener("load", () => void keepOfflinePage());
