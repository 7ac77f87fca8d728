// The program that prerenders the public pages of one language for an installation. The build bundles it with the app's
// components into `dist/prerender/`; the server starts it there (`src/http/prerendered.ts`).
import { readFileSync } from "node:fs";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import { createIntl } from "react-intl";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { type Language, localeOf } from "../../src/shared/language.ts";
import { PRODUCT } from "../../src/shared/product.ts";
import type { Instance } from "../api/api.ts";
import { createQueryClient, instanceQuery } from "../api/queries.ts";
import { RouteFailure } from "../app/errors.tsx";
import { loadTexts, type Topic, textsOf } from "../app/i18n.tsx";
import { PAGES, type Page, topicsOf } from "../app/page_table.ts";
import { Root } from "../app/root.tsx";
import type { Handle } from "../app/route_handle.ts";
import { cssVariables, theme } from "../app/theme.ts";
import { type BuiltFiles, documentOf } from "./prerendered_document.ts";

type Wanted = { language: Language; instance: Instance };

/** The page's markup for a signed-out visitor. For hydration to match, it must not depend on the device. */
async function markupOf({ path, page }: Page, address: string, instance: Instance): Promise<string> {
  const queryClient = createQueryClient(() => undefined);
  queryClient.setQueryData(instanceQuery.queryKey, instance);
  const { default: Component } = await page();
  const child = {
    path,
    Component,
    handle: { title: "login.title", trail: [] } satisfies Handle,
    loader: () => undefined,
  };
  const router = createMemoryRouter(
    [{ path: "/:lang", Component: Root, errorElement: <RouteFailure />, children: [child] }],
    { initialEntries: [address], hydrationData: { loaderData: { "0-0": { level: "unauthenticated" } } } },
  );
  return renderToString(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

/** The source files of a page and of its texts. */
function modulesOf(page: Page, language: Language): string[] {
  const fileOf = (topic: Topic) => (/^(entrance|registration)$/.test(topic) ? `ui.json?${topic}` : `${topic}.json`);
  const texts = topicsOf(page).map((topic) => `/locales/${language}/${fileOf(topic)}`);
  return [`/${page.path.replaceAll("-", "_")}.tsx`, ...texts];
}

async function prerender({ language, instance }: Wanted) {
  const built = JSON.parse(readFileSync("prerender/files.json", "utf8")) as BuiltFiles;
  const documents: Record<string, string> = {};
  await loadTexts(language, ["ui"]);
  for (const page of PAGES.filter(({ isThere }) => isThere?.(instance) ?? true)) {
    for (const suffix of page.prerendered ?? []) {
      await loadTexts(language, topicsOf(page));
      const { formatMessage } = createIntl({ locale: localeOf(language), messages: textsOf(language) });
      const address = `/${language}/${page.path}${suffix}`;
      const title = page.titleOf?.(new URL(address, "http://localhost").searchParams) ?? page.title;
      documents[address.replace(/#.*/, "")] = documentOf(built, {
        address,
        instance,
        markup: await markupOf(page, address, instance),
        title: `${formatMessage({ id: title })} · ${PRODUCT}`,
        noScript: formatMessage({ id: "boot.no_script" }),
        modules: modulesOf(page, language),
        announces: page.announces === true,
      });
    }
  }
  return { documents, paths: PAGES.map(({ path }) => path) };
}

console.log(JSON.stringify(await prerender(await Bun.stdin.json())));
