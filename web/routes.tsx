import type { ComponentType } from "react";
import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject, redirect } from "react-router";
import { isLanguage } from "../src/shared/language.ts";
import { RouteFailure } from "./errors.tsx";
import { type Access, activeSubscription, type Condition, errorPath, freeCapacity, guard } from "./guards.ts";
import { loadTexts, type Topic } from "./i18n.tsx";
import { type Handle, loadSignedInFrame, Root } from "./root.tsx";
import type { TextId } from "./text_id.ts";

type Page = {
  path: string;
  title: TextId;
  access: Access;
  conditions?: Condition[];
  /** What the page shows beyond the words of the screens. */
  topics?: Topic[];
  page: () => Promise<{ default: ComponentType }>;
};

/** The specification's route table. Its further screens are one row each. */
export const PAGES: Page[] = [
  { path: "login", title: "login.title", access: "noLogin", page: () => import("./identity/login.tsx") },
  { path: "register", title: "register.title", access: "noLogin", page: () => import("./identity/register.tsx") },
  {
    path: "forgot-password",
    title: "forgot.title",
    access: "noLogin",
    page: () => import("./identity/forgot_password.tsx"),
  },
  {
    path: "reset-password",
    title: "reset.title",
    access: "noLogin",
    page: () => import("./identity/reset_password.tsx"),
  },
  {
    path: "verify-code",
    title: "verify.title",
    access: "partialLogin",
    page: () => import("./identity/verify_code.tsx"),
  },
  { path: "dashboard", title: "dashboard.title", access: "fullLogin", page: () => import("./tracking/dashboard.tsx") },
  {
    path: "new-track",
    title: "track.title",
    access: "fullLogin",
    conditions: [activeSubscription, freeCapacity],
    page: () => import("./tracking/track.tsx"),
  },
  {
    path: "alerts",
    title: "alerts.title",
    access: "fullLogin",
    topics: ["data_classes", "flags", "advice"],
    page: () => import("./breaches/alerts.tsx"),
  },
  {
    path: "manage-contact",
    title: "contact.title",
    access: "public",
    page: () => import("./notifications/manage_contact.tsx"),
  },
  {
    path: "terms-service",
    title: "terms.title",
    access: "public",
    topics: ["terms"],
    page: () => import("./pages/terms_service.tsx"),
  },
  { path: "error-page", title: "error_page.title", access: "public", page: () => import("./pages/error_page.tsx") },
];

function languageOf({ params }: LoaderFunctionArgs) {
  return isLanguage(params.lang) ? params.lang : "en";
}

function routeOf({ path, title, access, conditions, topics = [], page }: Page): RouteObject {
  const admit = guard(access, conditions);
  const load = async () => (await page()).default;
  return {
    path,
    handle: { title } satisfies Handle,
    loader: async (args) => {
      const texts = loadTexts(languageOf(args), ["ui", "errors", ...topics]);
      // Only fetched ahead; where it is needed, it is awaited and its failure shown.
      if (access === "fullLogin") loadSignedInFrame().catch(() => undefined);
      const [admission] = await Promise.all([admit(args), texts]);
      if ("level" in admission && admission.level === "authenticated") await loadSignedInFrame();
      return admission;
    },
    lazy: { Component: load },
  };
}

export function createRouter() {
  return createBrowserRouter([
    {
      path: "/:lang",
      Component: Root,
      errorElement: <RouteFailure />,
      children: [
        ...PAGES.map(routeOf),
        { index: true, loader: ({ params }) => redirect(`/${params.lang}/login`) },
        { path: "*", loader: ({ params }) => redirect(errorPath(params.lang ?? "en", "404")) },
      ],
    },
  ]);
}
