import { expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseContext } from "../../src/cli/command.ts";
import type { Finding } from "../../src/cli/doctor_finding.ts";
import { NoDatabase } from "../../src/cli/rooms.ts";
import { keysOf } from "../../src/runtime/crypto.ts";
import { configOf, typed } from "./office.ts";

export const SECRET = "canary-secret-that-is-long-enough-4711-xyz";
export const { mac } = keysOf(SECRET);
export const dataDir = mkdtempSync(join(tmpdir(), "bb-doctor-"));
process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));

const closing: (() => unknown)[] = [];
/** Runs at the end of this test. */
export const afterwards = (close: () => unknown): void => void closing.push(close);
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) await close();
}

type Answers = Record<string, { status?: number; body?: unknown; hangs?: true; headers?: Record<string, string> }>;

/** A peer with a scripted response for each path, otherwise 404. */
export async function peer(answers: Answers): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    const { status = 200, body = {}, hangs, headers } = answers[path] ?? { status: 404 };
    if (hangs) return;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterwards(() => server.close(() => undefined));
  afterwards(() => server.closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function bench(environment: Record<string, string> = {}, more: Partial<DatabaseContext> = {}): DatabaseContext {
  return {
    directory: "/",
    signal: new AbortController().signal,
    tell: () => {},
    progress: () => {},
    letGo: async () => {},
    config: configOf({ DATA_DIR: dataDir, APP_SECRET: SECRET, ...environment }),
    database: () => Promise.reject(new NoDatabase("There is no database yet")),
    mac,
    backups: {} as DatabaseContext["backups"],
    isServer: false,
    ...more,
  };
}

export async function findings(only: string, room: DatabaseContext, ...more: string[]) {
  const answer = await typed(["doctor", "--only", only, ...more], room);
  const data = answer.data as { findings: Finding[]; ok: number; warn: number; fail: number };
  // Every finding has one sentence on how to fix it, and never a secret.
  for (const { state, mend } of data.findings) if (state !== "ok") expect(mend).toBeTruthy();
  expect(JSON.stringify(answer)).not.toMatch(/canary|sk_live|123456:AA|00000000000000000000000000000000/);
  return { code: answer.code, list: data.findings.map(({ state, says }) => `${state}: ${says}`), all: data.findings };
}
