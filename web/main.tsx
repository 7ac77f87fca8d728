import "./styles/mantine.css";
import "./styles/styles.css";
import "./styles/forced_colours.css";
import "./styles/print.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import type { Instance } from "./api/api.ts";
import { createQueryClient, instanceQuery } from "./api/queries.ts";
import type { Admission } from "./app/guards.ts";
import { finishHydration, takeOver } from "./app/hydration_handover.ts";
import { localisedPath, preferredLanguage, STORAGE_KEY, splitPath } from "./app/language.ts";
import { tolerateMovedNodes } from "./app/moved_nodes.ts";
import { keepOfflinePage } from "./app/offline.ts";
import { createRouter } from "./app/routes.tsx";
import { cssVariables, theme } from "./app/theme.ts";
import { watchSession } from "./app/watch_session.ts";

const nonce = document.querySelector<HTMLDataElement>("#style-nonce")?.value ?? "";
// Mantine's scroll lock reads the nonce for its style element from this global.
Object.assign(globalThis, { __webpack_nonce__: nonce });

tolerateMovedNodes();

const preferred = preferredLanguage(localStorage.getItem(STORAGE_KEY), navigator.languages);
const path = localisedPath(location.pathname, preferred);
if (path !== location.pathname) history.replaceState(null, "", path + location.search + location.hash);

const queryClient = createQueryClient(() => {
  void router.navigate(`/${splitPath(location.pathname).language ?? preferred}/login`, { replace: true });
});
// A prerendered document contains the instance that it was rendered for.
const root = document.getElementById("root");
const instance = root?.dataset.instance;
if (instance) queryClient.setQueryData<Instance>(instanceQuery.queryKey, JSON.parse(instance));
const router = createRouter(queryClient);

watchSession({ router, queryClient });

/** Whether the first screen equals the prerendered one: a signed-out user, no notice, no error, the same address. */
function isAsDrawn(root: HTMLElement): boolean {
  const { location, errors, loaderData, matches } = router.state;
  const { level, notice } = (loaderData[matches.at(-1)?.route.id ?? ""] ?? {}) as Partial<Admission>;
  if (level === undefined || level === "authenticated") return false;
  return takeOver(root, location) && errors === null && location.state === null && notice === undefined;
}

/** Keeps a refusal that is shown (`prehydration.ts`) when the app renders anew what was around it. */
function keepRefusal(from: HTMLElement): void {
  const dialog = from.querySelector<HTMLDialogElement>("dialog[open]");
  if (!dialog) return;
  document.body.append(dialog);
  // Not `close()`, whose event comes later and would remove it. Moving it has ended its being modal.
  dialog.open = false;
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

function render() {
  if (root === null) throw new Error("Cannot find the root element");
  const app = (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
  const show = () => {
    if (isAsDrawn(root)) return void hydrateRoot(root, app);
    keepRefusal(root);
    createRoot(root).render(app);
  };
  if (root.dataset.drawn === undefined) show();
  else {
    // Synchronous, so that input in the prerendered screen stays visible and is not lost.
    flushSync(show);
    finishHydration();
  }
  // Registered last, so that it does not compete with the requests of the first page.
  const keep = () => setTimeout(() => void keepOfflinePage());
  if (document.readyState === "complete") keep();
  else addEventListener("load", keep);
}

// The static frame of index.html stays until the first page is ready, to avoid a blank screen.
if (router.state.initialized) render();
else {
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return;
    stop();
    render();
  });
}
