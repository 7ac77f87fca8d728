// After the build: the smallest form of the files that are worth the time. The server packs the others itself.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

const WORTH_IT = 20_000;
const folder = join(import.meta.dirname, "dist/assets");

async function pack(name: string): Promise<void> {
  const bytes = readFileSync(join(folder, name));
  if (bytes.length >= WORTH_IT) writeFileSync(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes));
}

await Promise.all(
  readdirSync(folder)
    .filter((name) => /\.(js|css)$/.test(name))
    .map(pack),
);
