import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NIGHTLY_TOOLS } from "./support/tools.ts";
import { BY_HAND, EVERY_TEST, GATE, GATE_JOURNEYS, NIGHTLY, testsOf } from "./tiers.ts";

const ROOT = join(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
const ALL = [...NIGHTLY, ...BY_HAND];

describe("the tiers", () => {
  test("contain every test, and none that does not exist", () => {
    const nightly = NIGHTLY.flatMap(testsOf);
    const everywhere = new Set([...GATE, ...nightly]);
    expect(EVERY_TEST.filter((path) => !everywhere.has(`test/${path}`))).toEqual([]);
    expect([...everywhere].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test("keep in the gate what protects every change", () => {
    const kept = ["security/route_guards_test.ts", "http/token_matrix_test.ts", "consent/matrix_test.ts"];
    for (const path of [
      ...kept,
      ...GATE_JOURNEYS,
      "web/every_page_test.ts",
      "web/every_public_page_test.ts",
      "container/dockerfile_test.ts",
    ])
      expect(GATE).toContain(`test/${path}`);
    expect(GATE.filter((path) => path.startsWith("test/e2e/")).length).toBe(GATE_JOURNEYS.length);
  });

  test("give each part a unique name, a reason, and something to run", () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
    for (const part of ALL) {
      expect(part.reason.length).toBeGreaterThan(10);
      const [script] = part.script ?? [];
      expect({ name: part.name, runs: script === undefined ? testsOf(part).length > 0 : script in scripts }).toEqual({
        name: part.name,
        runs: true,
      });
    }
  });

  test("are run by the CI workflow, each nightly part separately", () => {
    const workflow = Bun.YAML.parse(readFileSync(join(ROOT, ".github/workflows/test.yml"), "utf8")) as {
      jobs: {
        gate: { steps: { run?: string }[] };
        nightly: { strategy: { matrix: { part: string[] } }; steps: { run?: string }[] };
      };
    };
    expect(workflow.jobs.nightly.strategy.matrix.part).toEqual(NIGHTLY.map(({ name }) => name));
    const installed = workflow.jobs.nightly.steps.find(({ run }) => run?.includes("apt-get install"))?.run ?? "";
    for (const name of Object.values(NIGHTLY_TOOLS)) expect(installed.split(" ")).toContain(name);
    expect(workflow.jobs.gate.steps.at(-1)?.run).toBe(".ci/run");
  });

  test("state what only the nightly run detects, wherever tests are not in the gate", () => {
    const leaving = NIGHTLY.filter(({ tests, alsoInGate }) => tests && !alsoInGate);
    expect(leaving.filter(({ foundHereOnly }) => !foundHereOnly).map(({ name }) => name)).toEqual([]);
  });
});
