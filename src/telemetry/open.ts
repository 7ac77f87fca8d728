import type { Meter } from "./metrics.ts";
import type { Tracer, TraceTarget } from "./tracing.ts";

/** The packages are read only where somebody wants figures. */
export async function openMeter(droppedLines: () => number): Promise<Meter> {
  const { createMeter } = await import("./metrics.ts");
  return createMeter(droppedLines);
}

/** The packages are read only where somebody wants traces. */
export async function openTracer(target: TraceTarget): Promise<Tracer> {
  const { otlpTracer } = await import("./otlp_tracer.ts");
  return otlpTracer(target);
}
