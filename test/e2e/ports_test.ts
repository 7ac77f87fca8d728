import { expect, test } from "bun:test";
import { removeDirectory, startProduct, temporaryDirectory } from "./product.ts";

test("a port that is taken is named with the setting that changes it", async () => {
  using other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const dataDir = temporaryDirectory();
  try {
    const start = startProduct({ METRICS_PORT: String(other.port) }, dataDir);
    await expect(start).rejects.toThrow(`Another port: METRICS_PORT=${(other.port ?? 0) + 1}`);
  } finally {
    removeDirectory(dataDir);
  }
}, 60_000);
