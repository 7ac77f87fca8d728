#!/usr/bin/env bun
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { runCli } from "./cli/run.ts";

// Whatever this process makes is for its owner alone.
process.umask(0o077);

const { stdin, stdout, stderr, env } = process;
const cancel = new AbortController();
process.on("SIGINT", () => {
  // A second one means now.
  if (cancel.signal.aborted) process.exit(130);
  cancel.abort();
});
process.on("SIGTERM", () => cancel.abort());

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: cancel.signal });
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    lines.close();
  }
}

const code = await runCli({
  typed: process.argv.slice(2),
  environment: env,
  readFile: (path) => readFileSync(path, "utf8"),
  directory: process.cwd(),
  terminal: {
    out: (text) => void stdout.write(text),
    error: (text) => void stderr.write(text),
    // A serial console may say that it has no columns at all.
    columns: (stdout.isTTY && stdout.columns) || undefined,
    colours: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
    isLive: stderr.isTTY === true && stdout.isTTY === true && env.TERM !== "dumb",
  },
  ask: stdin.isTTY && stderr.isTTY ? ask : undefined,
  signal: cancel.signal,
});
process.exit(code);
