import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, removeDirectory, temporaryDirectory, type Visit, visit } from "../e2e/product.ts";
import { freePort } from "../support/ports.ts";

const ROOT = join(import.meta.dirname, "../..");
const COPIED = ["src", "web", "locales", "migrations", "package.json", "bun.lock"];
const FORM = "web/identity/sign_in/register.tsx";
/** The first start installs packages and prepares the database, and the first page bundles its packages. */
const FIRST_TIME_MS = 120_000;
const ROUTE = "src/telemetry/probes.ts";

/** `bun run dev` as a developer uses it, on a copy of the project without any build. */
describe("bun run dev", () => {
  const project = temporaryDirectory();
  let running: Bun.Subprocess<"ignore", "pipe", "inherit">;
  let url: string;
  let guest: Visit;

  function edit(path: string, before: string, after: string): void {
    const text = readFileSync(join(project, path), "utf8");
    if (!text.includes(before)) throw new Error(`Cannot find "${before}" in ${path}`);
    writeFileSync(join(project, path), text.replace(before, after));
  }

  beforeAll(async () => {
    for (const name of COPIED)
      cpSync(join(ROOT, name), join(project, name), { recursive: true, filter: (path) => !path.endsWith("web/dist") });
    const port = await freePort();
    url = `http://localhost:${port}`;
    running = Bun.spawn([process.execPath, "run", "dev"], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: join(project, "data") },
      stdout: "pipe",
      stderr: "inherit",
    });
    process.on("exit", () => running.kill());
    const answers = async () => {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      return answer?.ok || undefined;
    };
    await eventually("the server answers by way of Vite", answers, FIRST_TIME_MS);
    guest = await visit(url);
  });
  afterAll(async () => {
    await guest?.close();
    running.kill("SIGTERM");
    await running.exited;
    removeDirectory(project);
  });

  test("shows a change of a page without losing the input of its form", async () => {
    const { page } = guest;
    const answer = await page.goto("/en/register");
    expect(answer?.headers()["content-security-policy"]).toContain("frame-src 'self'");
    const email = page.locator("[data-path=email]");
    await email.waitFor({ timeout: FIRST_TIME_MS });
    await email.fill("ada@example.com");
    edit(FORM, "</SignInCard>", "<p>A change</p></SignInCard>");
    await page.getByText("A change").waitFor();
    expect(await email.inputValue()).toBe("ada@example.com");
    expect(guest.violations).toEqual([]);
    expect(guest.errors).toEqual([]);
  });

  test("restarts the server after a change, while requests wait", async () => {
    edit(ROUTE, '{ status: "ok" }', '{ status: "changed" }');
    await eventually("the server has the change", async () => {
      const answer = (await (await fetch(`${url}/livez`)).json()) as { status: string };
      return answer.status === "changed" || undefined;
    });
  });

  test("ends both with one signal", async () => {
    running.kill("SIGTERM");
    await running.exited;
    expect(await fetch(`${url}/livez`).catch(() => "gone")).toBe("gone");
  });
});
