import type { QueryClient } from "@tanstack/react-query";
import { hidePage } from "./hide_page.ts";
import type { createRouter } from "./routes.tsx";
import { isSignedIn, noteChange, noteLogout, onSessionElsewhere } from "./session.ts";

type Watched = { router: ReturnType<typeof createRouter>; queryClient: QueryClient };

/**
 * Keeps what is shown in step with a session that changes while nobody looks: another tab signs in or out, or the browser
 * brings back a page that it had put aside. That one is unveiled by the page that follows.
 */
export function watchSession({ router, queryClient }: Watched): void {
  async function lookAgain() {
    noteChange();
    await router.revalidate();
    // It may be somebody else now.
    if (isSignedIn()) await queryClient.resetQueries();
  }
  onSessionElsewhere((change) => {
    if (change === "signed out") noteLogout();
    void lookAgain();
  });
  window.addEventListener("pagehide", ({ persisted }) => persisted && hidePage());
  window.addEventListener("pageshow", ({ persisted }) => persisted && void lookAgain());
}
