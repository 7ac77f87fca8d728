import { isDatabaseUnavailable } from "../database/errors.ts";
import type { Answered, Meter } from "./metrics.ts";
import type { Tracer } from "./tracing.ts";

export type Asked = { method: string; requestId: string; parent: string | undefined };

/** Metrics and traces of this process. Only names from the code are recorded, no data that passes through. */
export type Telemetry = {
  request<A extends Answered>(asked: Asked, work: () => Promise<A>): Promise<A>;
  job<T>(name: string, work: () => Promise<T>): Promise<T>;
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** A call to an external service; a result that is no promise is returned synchronously. */
  call<T>(peer: string, operation: string, work: () => T): T;
  /** A browser has reported a violation of this directive of the content security policy. */
  violated(directive: string): void;
};

/** For installations without metrics and traces: no overhead. */
export const silent: Telemetry = {
  request: (_, work) => work(),
  job: (_, work) => work(),
  transaction: (work) => work(),
  call: (_peer, _operation, work) => work(),
  violated: () => {},
};

/** The outcome label: the result's `kind`, where there is one. */
function outcomeOf(value: unknown): string {
  const kind = typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
  return typeof kind === "string" && /^[a-z_]{1,24}$/.test(kind) ? kind : "ok";
}

/** Runs `work`, and then passes on how long it took and what it failed with. */
async function timed<T>(work: () => Promise<T>, ended: (ms: number, failure?: { error: unknown }) => void): Promise<T> {
  const from = performance.now();
  try {
    const result = await work();
    ended(performance.now() - from);
    return result;
  } catch (error) {
    ended(performance.now() - from, { error });
    throw error;
  }
}

export function createTelemetry({
  meter,
  tracer,
}: {
  meter?: Meter | undefined;
  tracer?: Tracer | undefined;
}): Telemetry {
  if (!meter && !tracer) return silent;
  const traced: Tracer["within"] = (span, work) => (tracer ? tracer.within(span, work) : work({ note: () => {} }));

  return {
    request: (asked, work) =>
      traced({ kind: "server", name: asked.method, parent: asked.parent }, async ({ note }) => {
        const from = performance.now();
        meter?.begun();
        try {
          const answered = await work();
          const { route, status } = answered;
          note(
            { "http.request.method": asked.method, "http.route": route, "http.response.status_code": status },
            { name: `${asked.method} ${route}`, failed: status >= 500 },
          );
          note({ "breachbell.request_id": asked.requestId });
          meter?.answered(asked.method, answered, performance.now() - from);
          return answered;
        } finally {
          meter?.ended();
        }
      }),

    job: (name, work) =>
      traced({ kind: "internal", name: `job ${name}` }, () =>
        timed(work, (ms, failure) => meter?.jobEnded(name, ms, failure !== undefined)),
      ),

    transaction: (work) =>
      traced({ kind: "client", name: "transaction", facts: { "db.system.name": "postgresql" } }, () => {
        meter?.transactionBegun();
        return timed(work, (ms, failure) => {
          const undone = isDatabaseUnavailable(failure?.error) ? "unavailable" : "rolled_back";
          meter?.transactionEnded(failure === undefined ? "committed" : undone, ms);
        });
      }),

    violated: (directive) => meter?.violated(directive),

    call(peer, operation, work) {
      const from = performance.now();
      const ended = (outcome: string) => meter?.called({ peer, operation, outcome }, performance.now() - from);
      return traced({ kind: "client", name: `${peer} ${operation}` }, ({ note }) => {
        const result = work();
        if (!(result instanceof Promise)) return result;
        const followed = result.then(
          (value) => {
            note({ "breachbell.outcome": outcomeOf(value) });
            ended(outcomeOf(value));
            return value;
          },
          (error) => {
            ended("error");
            throw error;
          },
        );
        return followed as typeof result;
      });
    },
  };
}

/** Wraps a gateway so that each of its calls is measured. */
export function followed<Gateway extends object>(telemetry: Telemetry, peer: string, gateway: Gateway): Gateway {
  if (telemetry === silent) return gateway;
  return new Proxy(gateway, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function" || typeof name !== "string") return value;
      return (...args: unknown[]) => telemetry.call(peer, name, () => value.apply(target, args));
    },
  });
}
