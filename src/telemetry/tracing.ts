/** Where traces go, under which name, and how large a share of them. */
export type TraceTarget = { url: string; headers: Record<string, string>; serviceName: string; share: number };
export type Facts = Record<string, string | number | boolean>;
export type SpanStart = {
  kind: "server" | "client" | "internal";
  name: string;
  facts?: Facts;
  /** A `traceparent` that is believed. */
  parent?: string | undefined;
};
export type Span = { note(facts: Facts, end?: { name?: string; failed?: boolean }): void };

export type Tracer = {
  /** Runs `work` as a span: over when it returns, or when the promise that it returns is settled. */
  within<T>(start: SpanStart, work: (span: Span) => T): T;
  /** Sends what is left. */
  close(): Promise<void>;
};
