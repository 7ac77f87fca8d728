import type { Context } from "hono";

/** A CSV file that is written while it is sent: a page is produced when the reader has taken the last one. */
export function replyCsv(c: Context, { name, chunks }: { name: string; chunks: AsyncIterable<string> }) {
  // Bun takes an async iterable for a body; the types of the DOM do not.
  const { body } = new Response(chunks as unknown as ReadableStream);
  return c.body(body as ReadableStream, 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}"`,
    "Cache-Control": "no-store",
  });
}
