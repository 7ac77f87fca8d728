import type { QueryClient } from "@tanstack/react-query";
import { hidePage } from "./hide_page.ts";
import type { createRouter } from "./routes.tsx";
import { isSignedIn, noteChange, noteLogout, onSessionElsewhere } from "./session.ts";

type Watched = { router: ReturnType<typeof createRouter>; queryClient: QueryClient };

/**
 * Reacts to session changes from outside this page: a sign-in or sign-out in another tab, and a page restored from the
 * back-forward cache. A restored page stays hidden until the session check of its loader has finished.
 */
export function watchSession({ router, queryClient }: Watched): void {
  async function recheckSession() {
    noteChange();
    await router.revalidate();
    // Another account may be signed in now.
    if (isSignedIn()) await queryClient.resetQueries();
  }
  onSessionElsewhere((change) => {
    if (change === "signed out") noteLogout();
    void recheckSession();
  });
  window.addEventListener("pagehide", ({ persisted }) => persisted && hidePage());
  window.addEventListener("pageshow", ({ persisted }) => persisted && void recheckSession());
}
