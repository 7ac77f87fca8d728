import { useComputedColorScheme } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { IntlProvider } from "react-intl";
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation, useParams } from "react-router";
import { Toaster, toast } from "sonner";
import { isLanguage, type Language } from "../src/shared/language.ts";
import { PRODUCT } from "../src/shared/product.ts";
import { ErrorModal } from "./errors.tsx";
import type { Admission } from "./guards.ts";
import { textsOf, useText } from "./i18n.tsx";
import { STORAGE_KEY, splitPath } from "./language.ts";
import { takeExpiry } from "./session.ts";
import type { TextId } from "./text_id.ts";
import { PublicFrame } from "./ui/public_frame.tsx";
import { unveil } from "./veil.ts";

/** What a page's route tells the root. */
export type Handle = { title: TextId };

type Frame = ComponentType<{ children: ReactNode }>;
let SignedInFrame: Frame | undefined;

/** The frame of signed-in people is a chunk of its own, ready before the first page that needs it. */
export async function loadSignedInFrame(): Promise<void> {
  SignedInFrame ??= (await import("./signed_in_frame.tsx")).SignedInFrame;
}

export function Root() {
  const { lang } = useParams();
  const language: Language = isLanguage(lang) ? lang : "en";
  useEffect(() => {
    document.documentElement.lang = language;
    localStorage.setItem(STORAGE_KEY, language);
  }, [language]);
  return (
    <IntlProvider locale={language} messages={textsOf(language)} onError={reportMissingText}>
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
  const { title } = (match?.handle ?? { title: "error_page.title" }) as Handle;
  const Frame = admission?.level === "authenticated" && SignedInFrame ? SignedInFrame : PublicFrame;
  const scheme = useComputedColorScheme("light");
  useArrival(`${text(title)} · ${PRODUCT}`);
  useDiscretion(admission);
  return (
    <>
      {/* A button, so that the address keeps what stands behind its own "#". */}
      <button type="button" className="skip-link" onClick={() => document.querySelector("main")?.focus()}>
        {text("frame.skip")}
      </button>
      <Waiting />
      <Frame>
        <Outlet />
      </Frame>
      <ScrollRestoration />
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

/** What somebody has seen is forgotten when they are gone, and no page is unveiled before it is known who looks. */
function useDiscretion(admission: Admission | undefined) {
  const queryClient = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each admission is news, also when it says the same
  useLayoutEffect(unveil, [admission]);
  const isSignedIn = admission?.level === "authenticated";
  useEffect(() => {
    if (!isSignedIn) queryClient.removeQueries({ type: "inactive" });
  }, [isSignedIn, queryClient]);
}

/** On arriving at another page: its title, the focus on its heading, and the notice of an expired session. */
function useArrival(title: string) {
  const { pathname } = useLocation();
  const page = splitPath(pathname).rest;
  const previous = useRef(page);
  const text = useText();
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (page === "/login" && takeExpiry()) toast.error(text("session.expired"));
    if (page === previous.current) return;
    previous.current = page;
    document.querySelector("h1")?.focus();
  }, [page, text]);
}
