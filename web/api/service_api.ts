import { type Answer, get } from "./call.ts";

export type ServiceStatus = Answer<"/api/service-status", "$get">;
/** What every page may have to say: an incident, or a maintenance that is near. */
export type ServiceNotice = NonNullable<Answer<"/api/service-notice", "$get">["notice"]>;

/** So long a page waits for it at most; then it does without. */
const PATIENCE_MS = 1000;

/**
 * Asked for while a page loads, so that nothing on it moves afterwards. It is never worth a failure, nor a wait that
 * anybody would notice.
 */
export function serviceNotice(): Promise<ServiceNotice | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS));
  const asked = get("/api/service-notice").then(
    ({ notice }) => notice ?? undefined,
    () => undefined,
  );
  return Promise.race([asked, late]);
}
