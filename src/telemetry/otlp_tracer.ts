import {
  type Context,
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Span as TracedSpan,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { agentThrough, proxyFor } from "../shared/outbound_proxy.ts";
import { PRODUCT, VERSION } from "../shared/product.ts";
import type { Facts, Span, SpanStart, Tracer, TraceTarget } from "./tracing.ts";

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The caller's span as parent, if its `traceparent` is valid (W3C Trace Context). */
function contextOf(parent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(parent ?? "") ?? [];
  if (!traceId || !spanId || flags === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return context.active();
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** The error's type; its message may contain user input. */
function kindOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? code : error instanceof Error ? error.name : "unknown";
}

/** Exports spans as OTLP over HTTP. Spans contain no personal data, and no `traceparent` is sent to third parties. */
export function otlpTracer({ url, headers, serviceName, share, proxy }: TraceTarget): Tracer {
  const through = proxy && proxyFor(new URL(url), proxy);
  const httpAgentOptions = { keepAlive: true, ...(through !== undefined && agentThrough(through)) };
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName, "service.version": VERSION }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url, headers, httpAgentOptions }) })],
  });
  const tracer = provider.getTracer(PRODUCT, VERSION);

  function noting(span: TracedSpan): Span {
    return {
      note(facts: Facts, { name, failed } = {}) {
        span.setAttributes(facts);
        if (name !== undefined) span.updateName(name);
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      },
    };
  }

  function within<T>({ kind, name, facts = {}, parent }: SpanStart, work: (span: Span) => T): T {
    const options = { kind: KINDS[kind], attributes: facts };
    return tracer.startActiveSpan(name, options, contextOf(parent), (span) => {
      const fail = (error: unknown) => {
        span.setAttribute("error.type", kindOf(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
      try {
        const result = work(noting(span));
        // End the span before the caller continues.
        if (result instanceof Promise) result.then(() => span.end(), fail);
        else span.end();
        return result;
      } catch (error) {
        fail(error);
        throw error;
      }
    });
  }

  return { within, close: () => provider.shutdown() };
}
