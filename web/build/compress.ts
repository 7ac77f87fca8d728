// Runs after the build: precompresses the files for which the best compression is worthwhile; the server compresses the
// others itself.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

const WORTH_IT = 2000;
const folder = join(import.meta.dirname, "../dist");

async function pack(name: string): Promise<void> {
  const bytes = readFileSync(join(folder, name));
  if (bytes.length >= WORTH_IT) writeFileSync(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes));
}

await Promise.all(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /^assets\/.*\.(js|css)$/.test(name))
    .map(pack),
);
