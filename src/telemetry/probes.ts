import { Hono } from "hono";
import type { HttpEnv } from "../http/session.ts";
import { oneAtATime } from "../shared/callers.ts";
import { orLate } from "../shared/or_late.ts";

/** Why this process should get no requests. */
export type Unready = "stopping" | "database" | "migrations" | "disk";

/** A database that takes longer counts as unresponsive. */
const PATIENCE_MS = 3000;

type Readiness = {
  isStopping: () => boolean;
  /** Whether the schema is this release's or a later one. */
  isMigrated: () => Promise<boolean>;
  /** Whether nothing can be written, as the disk is full. */
  isFull: () => boolean;
};

/** Concurrent probes share one query, so that they use one connection at most. */
export function readiness({ isStopping, isMigrated, isFull }: Readiness): () => Promise<Unready | undefined> {
  const ask = oneAtATime((): Promise<Unready | undefined> => {
    const answer = isMigrated().then(
      (is) => (is ? undefined : ("migrations" as const)),
      () => "database" as const,
    );
    return orLate(PATIENCE_MS, answer, "database");
  });

  return async () => {
    if (isStopping()) return "stopping";
    if (isFull()) return "disk";
    const found = await ask();
    return isStopping() ? "stopping" : found;
  };
}

/** Liveness and readiness for supervisors and load balancers, without authentication. */
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
