/** A span as a collector receives it, with its attributes as plain values. */
export type ReceivedSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  facts: Record<string, string | number | boolean>;
  failed: boolean;
};

type Value = { stringValue?: string; intValue?: string | number; boolValue?: boolean; doubleValue?: number };
type Attribute = { key: string; value: Value };
type SentSpan = Omit<ReceivedSpan, "facts" | "failed"> & { attributes: Attribute[]; status: { code?: number } };
type Sent = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[] };

function factsOf(attributes: Attribute[]): ReceivedSpan["facts"] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  );
}

/** A trace collector: OTLP over HTTP, in JSON. */
export function startOtlpPeer() {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; headers: Headers; text: string }[] = [];
  const services: unknown[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const text = await request.text();
      requests.push({ path: new URL(request.url).pathname, headers: request.headers, text });
      for (const { resource, scopeSpans } of (JSON.parse(text) as Sent).resourceSpans) {
        services.push(factsOf(resource.attributes)["service.name"]);
        for (const { name, traceId, spanId, parentSpanId, attributes, status } of scopeSpans.flatMap(
          (each) => each.spans,
        ))
          spans.push({
            name,
            traceId,
            spanId,
            parentSpanId: parentSpanId || undefined,
            facts: factsOf(attributes),
            failed: status.code === 2,
          });
      }
      return Response.json({});
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, spans, requests, services, close: () => server.stop(true) };
}
