import type { Meter } from "./metrics.ts";
import type { Tracer, TraceTarget } from "./tracing.ts";

/** Loads the packages only where metrics are enabled. */
export async function openMeter(droppedLines: () => number): Promise<Meter> {
  const { createMeter } = await import("./metrics.ts");
  return createMeter(droppedLines);
}

/** Loads the packages only where traces are enabled. */
export async function openTracer(target: TraceTarget): Promise<Tracer> {
  const { otlpTracer } = await import("./otlp_tracer.ts");
  return otlpTracer(target);
}
