import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject, redirect } from "react-router";
import { isLanguage } from "../src/shared/language.ts";
import { RouteFailure } from "./errors.tsx";
import { errorPath, guard } from "./guards.ts";
import { loadTexts } from "./i18n.tsx";
import { PAGES, type Page } from "./page_table.ts";
import { type Handle, loadSignedInFrame, Root } from "./root.tsx";

function languageOf({ params }: LoaderFunctionArgs) {
  return isLanguage(params.lang) ? params.lang : "en";
}

function routeOf({ path, title, access, conditions = [], isThere, topics = [], page }: Page): RouteObject {
  const admit = guard(access, { conditions, isThere });
  const load = async () => (await page()).default;
  return {
    path,
    handle: { title } satisfies Handle,
    loader: async (args) => {
      const texts = loadTexts(languageOf(args), ["ui", "errors", "sources", ...topics]);
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
