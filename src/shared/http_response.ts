/** The body, or undefined when it exceeds `limit` bytes after decompression. */
export async function readUpTo(response: Response, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** The cause of a failed request by its code; its message could quote the request. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  if (error.name === "TimeoutError") return "it took too long";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
