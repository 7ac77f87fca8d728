import { type Answer, get } from "./call.ts";

export type ServiceStatus = Answer<"/api/service-status", "$get">;
/** The incident or upcoming maintenance shown on every page. */
export type ServiceNotice = NonNullable<Answer<"/api/service-notice", "$get">["notice"]>;

/** The page is shown without a notice after this time. */
const TIMEOUT_MS = 1000;

/**
 * Fetched with the page, so that the layout does not shift when a notice appears. Resolves to undefined on failure or
 * after a timeout, so that it never blocks or fails the page.
 */
export function serviceNotice(): Promise<ServiceNotice | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), TIMEOUT_MS));
  const asked = get("/api/service-notice").then(
    ({ notice }) => notice ?? undefined,
    () => undefined,
  );
  return Promise.race([asked, late]);
}
