import type { Context } from "hono";

/** Text as a stream with backpressure. Bun would read an async iterable outside the request's context: its log, deadline and trace. */
function streamOf(chunks: AsyncIterable<string>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reading = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reading.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await reading.return?.();
    },
  });
}

/** A CSV file that is written while it is sent: a page is produced when the reader has taken the last one. */
export function replyCsv(c: Context, { name, chunks }: { name: string; chunks: AsyncIterable<string> }) {
  return c.body(streamOf(chunks), 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}"`,
    "Cache-Control": "no-store",
  });
}
