import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

let compiling: Promise<WebAssembly.Module> | undefined;

/** Compiles the embedded Postgres, once a process. The earlier it begins, the more of it runs while our code loads. */
export function pgliteWasm(): Promise<WebAssembly.Module> {
  compiling ??= WebAssembly.compile(
    readFileSync(join(dirname(Bun.resolveSync("@electric-sql/pglite", import.meta.dirname)), "pglite.wasm")),
  );
  return compiling;
}
