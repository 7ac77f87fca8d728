// The server of `bun run dev`, in a process that waits for its turn: the embedded Postgres is compiled, which takes
// longest and which no edit changes; our own code is read once a line arrives on the standard input.
import { pgliteWasm } from "../database/pglite_wasm.ts";

await pgliteWasm();
for await (const _ of Bun.stdin.stream()) break;
await import("../main.ts");
