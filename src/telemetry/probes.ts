import { Hono } from "hono";
import type { HttpEnv } from "../http/session.ts";
import { oneAtATime } from "../shared/callers.ts";

/** Why no request should be sent here. */
export type Unready = "stopping" | "database" | "migrations";

/** A database that has not answered until then does not answer. */
const PATIENCE_MS = 3000;

type Readiness = {
  isStopping: () => boolean;
  /** Whether the schema is the one of this release, or of a later one. */
  isMigrated: () => Promise<boolean>;
};

/** One question at a time, however many ask: it costs one connection at most. */
export function readiness({ isStopping, isMigrated }: Readiness): () => Promise<Unready | undefined> {
  const ask = oneAtATime((): Promise<Unready | undefined> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<Unready>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, "database");
    });
    const answer = isMigrated().then(
      (is) => (is ? undefined : ("migrations" as const)),
      () => "database" as const,
    );
    return Promise.race([answer, late]).finally(() => clearTimeout(timer));
  });

  return async () => {
    if (isStopping()) return "stopping";
    const found = await ask();
    return isStopping() ? "stopping" : found;
  };
}

/** For whoever decides where requests go and what is started again. Neither looks at who asks. */
export function probeRoutes(unready: () => Promise<Unready | undefined>) {
  const headers = { "Cache-Control": "no-store" };
  return new Hono<HttpEnv>()
    .get("/livez", (c) => c.json({ status: "ok" }, 200, headers))
    .get("/readyz", async (c) => {
      const reason = await unready();
      return reason === undefined
        ? c.json({ status: "ok" }, 200, headers)
        : c.json({ status: "unready", reason }, 503, { ...headers, "Retry-After": "1" });
    });
}
