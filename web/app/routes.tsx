import type { QueryClient } from "@tanstack/react-query";
import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject, redirect } from "react-router";
import { isLanguage } from "../../src/shared/language.ts";
import { instanceQuery, meQuery } from "../api/queries.ts";
import { serviceNotice } from "../api/service_api.ts";
import { RouteFailure } from "./errors.tsx";
import { errorPath, guard } from "./guards.ts";
import { loadTexts } from "./i18n.tsx";
import { PAGES, type Page, topicsOf, trailOf } from "./page_table.ts";
import { loadSignedInFrame, Root } from "./root.tsx";
import type { Handle } from "./route_handle.ts";

function languageOf({ params }: LoaderFunctionArgs) {
  return isLanguage(params.lang) ? params.lang : "en";
}

type FrameQuery = typeof instanceQuery | typeof meQuery;

/** Prefetches what the frame shows, so that the layout does not shift. The frame itself handles a failure. */
async function prefetch(queryClient: QueryClient, query: FrameQuery): Promise<void> {
  if (queryClient.getQueryData(query.queryKey) === undefined)
    await queryClient.prefetchQuery({ ...(query as typeof instanceQuery), retry: false });
}

function routeOf(row: Page, queryClient: QueryClient): RouteObject {
  const { path, title, titleOf, access, conditions = [], isThere, announces, page } = row;
  const admit = guard(access, { conditions, isThere });
  const load = async () => (await page()).default;
  return {
    path,
    handle: { title, titleOf, trail: trailOf(row) } satisfies Handle,
    loader: async (args) => {
      const texts = loadTexts(languageOf(args), topicsOf(row));
      // Only a preload: the signed-in frame is awaited where it is needed, and its failure is shown there.
      if (access === "fullLogin") loadSignedInFrame().catch(() => undefined);
      const [admission, notice] = await Promise.all([
        ...([admit(args), announces && serviceNotice()] as const),
        ...[texts, prefetch(queryClient, instanceQuery)],
      ]);
      if ("level" in admission && admission.level === "authenticated")
        await Promise.all([loadSignedInFrame(), prefetch(queryClient, meQuery)]);
      return "level" in admission ? { ...admission, notice } : admission;
    },
    lazy: { Component: load },
  };
}

export function createRouter(queryClient: QueryClient) {
  return createBrowserRouter([
    {
      path: "/:lang",
      Component: Root,
      errorElement: <RouteFailure />,
      children: [
        ...PAGES.map((page) => routeOf(page, queryClient)),
        { index: true, loader: ({ params }) => redirect(`/${params.lang}/login`) },
        { path: "*", loader: ({ params }) => redirect(errorPath(params.lang ?? "en", "404")) },
      ],
    },
  ]);
}
