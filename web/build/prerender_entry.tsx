import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";
import { createIntl } from "react-intl";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { type Language, localeOf } from "../../src/shared/language.ts";
import { PRODUCT } from "../../src/shared/product.ts";
import type { Instance, Provider } from "../api/api.ts";
import { createQueryClient, instanceQuery } from "../api/queries.ts";
import { RouteFailure } from "../app/errors.tsx";
import { loadTexts, textsOf } from "../app/i18n.tsx";
import { PAGES, topicsOf } from "../app/page_table.ts";
import { Root } from "../app/root.tsx";
import type { Handle } from "../app/route_handle.ts";
import { cssVariables, theme } from "../app/theme.ts";

/** What a prerendered page depends on. */
export type PrerenderOptions = { language: Language; path: string; providers: Provider[] };

type PrerenderedPage = { markup: string; title: string };

/**
 * Prerenders a page at build time for signed-out users, with the same components as in the browser. For hydration to
 * match, the first rendering must not depend on the device.
 */
export async function draw({ language, path, providers }: PrerenderOptions): Promise<PrerenderedPage> {
  const page = PAGES.find((each) => each.path === path);
  if (page === undefined) throw new Error(`Cannot find the page "${path}"`);
  await loadTexts(language, topicsOf(page));
  const queryClient = createQueryClient(() => undefined);
  const registration = { mode: "open" as const, domains: [] };
  queryClient.setQueryData(instanceQuery.queryKey, { providers, registration } as unknown as Instance);
  const Component: ComponentType = (await page.page()).default;
  const handle: Handle = { title: page.title, trail: [] };
  const router = createMemoryRouter(
    [
      {
        path: "/:lang",
        Component: Root,
        errorElement: <RouteFailure />,
        children: [{ path, Component, handle, loader: () => undefined }],
      },
    ],
    {
      initialEntries: [`/${language}/${path}`],
      hydrationData: { loaderData: { "0-0": { level: "unauthenticated" } } },
    },
  );
  const markup = renderToString(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const { formatMessage } = createIntl({ locale: localeOf(language), messages: textsOf(language) });
  return {
    markup,
    title: `${formatMessage({ id: page.title })} · ${PRODUCT}`,
  };
}
