import type { OutboundProxy } from "../shared/outbound_proxy.ts";

/** Endpoint, service name and sampling ratio of traces. */
export type TraceTarget = {
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  share: number;
  proxy?: OutboundProxy | undefined;
};
export type Facts = Record<string, string | number | boolean>;
export type SpanStart = {
  kind: "server" | "client" | "internal";
  name: string;
  facts?: Facts;
  /** The `traceparent` of a trusted caller. */
  parent?: string | undefined;
};
export type Span = { note(facts: Facts, end?: { name?: string; failed?: boolean }): void };

export type Tracer = {
  /** Runs `work` as a span that ends when it returns or its promise settles. */
  within<T>(start: SpanStart, work: (span: Span) => T): T;
  /** Flushes the remaining spans. */
  close(): Promise<void>;
};
