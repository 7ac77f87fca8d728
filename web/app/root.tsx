import { useComputedColorScheme } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect, useLayoutEffect } from "react";
import { IntlProvider } from "react-intl";
import { Outlet, ScrollRestoration, useMatches, useNavigation, useParams, useSearchParams } from "react-router";
import { Toaster } from "sonner";
import { isLanguage, type Language, localeOf } from "../../src/shared/language.ts";
import { PRODUCT } from "../../src/shared/product.ts";
import { PublicFrame } from "../ui/frame/public_frame.tsx";
import { ServiceNotice } from "../ui/frame/service_notice.tsx";
import { ErrorModal } from "./errors.tsx";
import type { Admission } from "./guards.ts";
import { showPage } from "./hide_page.ts";
import { textsOf, useText } from "./i18n.tsx";
import { STORAGE_KEY } from "./language.ts";
import { useArrival } from "./route_focus.ts";
import type { Handle } from "./route_handle.ts";
import { scrollKeyOf } from "./scroll_key.ts";

type Frame = ComponentType<{ children: ReactNode }>;
let SignedInFrame: Frame | undefined;

/** Loads the signed-in frame, a chunk of its own, before the first page that needs it. */
export async function loadSignedInFrame(): Promise<void> {
  SignedInFrame ??= (await import("./signed_in_frame.tsx")).SignedInFrame;
}

export function Root() {
  const { lang } = useParams();
  const language: Language = isLanguage(lang) ? lang : "en";
  useEffect(() => {
    document.documentElement.lang = localeOf(language);
    localStorage.setItem(STORAGE_KEY, language);
  }, [language]);
  return (
    <IntlProvider locale={localeOf(language)} messages={textsOf(language)} onError={reportMissingText}>
      <ErrorModal>
        <Page />
      </ErrorModal>
    </IntlProvider>
  );
}

function reportMissingText(error: Error) {
  console.error(error);
}

function Page() {
  const match = useMatches().at(-1);
  const admission = match?.loaderData as Admission | undefined;
  const text = useText();
  const title = useTitle(match?.handle as Handle | undefined);
  const Frame = admission?.level === "authenticated" && SignedInFrame ? SignedInFrame : PublicFrame;
  const scheme = useComputedColorScheme("light");
  useArrival(title);
  usePageHiding(admission);
  return (
    <>
      {/* A button, so that the address keeps what stands behind its own "#". */}
      <button type="button" className="skip-link" onClick={() => document.querySelector("main")?.focus()}>
        {text("frame.skip")}
      </button>
      <Waiting />
      <Frame>
        {admission?.notice && <ServiceNotice notice={admission.notice} />}
        <Outlet />
      </Frame>
      <ScrollRestoration getKey={scrollKeyOf} />
      <Toaster
        theme={scheme}
        position="bottom-right"
        duration={4000}
        visibleToasts={3}
        gap={14}
        closeButton
        containerAriaLabel={text("frame.toasts")}
        toastOptions={{ closeButtonAriaLabel: text("close") }}
      />
    </>
  );
}

function Waiting() {
  return useNavigation().state === "idle" ? null : <div className="progress" />;
}

/** Clears cached data when the user signs out, and shows the page again after each session check. */
function usePageHiding(admission: Admission | undefined) {
  const queryClient = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after every session check, even with the same result
  useLayoutEffect(showPage, [admission]);
  const isSignedIn = admission?.level === "authenticated";
  useEffect(() => {
    if (!isSignedIn) queryClient.removeQueries({ type: "inactive" });
  }, [isSignedIn, queryClient]);
}

/** The page's translated title, followed by the product's name. */
function useTitle(handle: Handle | undefined): string {
  const text = useText();
  const [query] = useSearchParams();
  const title = handle?.titleOf?.(query) ?? handle?.title ?? "error_page.generic";
  return `${text(title)} · ${PRODUCT}`;
}
