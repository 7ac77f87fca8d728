import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMeter } from "../../src/telemetry/metrics.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "docs/deploy");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");

type Rules = { groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[] };
type Dashboard = { panels: { id: number; title: string; targets: { expr: string }[] }[] };
const rules = (Bun.YAML.parse(read("alerts.yaml")) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read("grafana.json")) as Dashboard;

/** The names of the series that the product exports, as OpenMetrics ends them. */
async function exported(): Promise<Set<string>> {
  const meter = createMeter();
  meter.tell(
    () => Promise.reject(new Error("No figures are needed for the names")),
    () => new Date(),
  );
  const types = [...(await meter.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const endings: Record<string, string[]> = { histogram: ["_bucket", "_sum", "_count"], counter: ["_total"] };
  return new Set(types.flatMap(([, name = "", type = ""]) => (endings[type] ?? [""]).map((ending) => name + ending)));
}

describe("the monitoring kit", () => {
  test.each([
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.map(({ title, targets }) => [title, targets.map(({ expr }) => expr).join(" + ")] as const),
  ])("%s asks only for series that are exported", async (_, expression) => {
    const known = await exported();
    const names = expression.match(/\b(?:breachbell|process|nodejs)_\w+/g) ?? [];
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(names.length > 0 || expression.startsWith("up{")).toBe(true);
  });

  test("has a unit test of each rule, that it fires and that it is silent, and a word on what to do", () => {
    const tests = read("alerts_test.yaml");
    const deployment = readFileSync(join(ROOT, "docs/deploy.md"), "utf8");
    for (const { alert, annotations } of rules) {
      expect(tests).toContain(`alertname: ${alert}, exp_alerts: []`);
      expect(tests).toContain(`        alertname: ${alert}\n        exp_alerts:\n          - exp_labels:`);
      expect(deployment).toContain(`| \`${alert}\` |`);
      expect(annotations.summary).not.toBe("");
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  // Part of the `prometheus` package, which is not needed for anything else.
  test.skipIf(!Bun.which("promtool"))("is accepted by promtool, and its rules pass their tests", () => {
    for (const words of [
      ["check", "config", "prometheus.yaml"],
      ["check", "rules", "alerts.yaml"],
      ["test", "rules", "alerts_test.yaml"],
    ]) {
      const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", ...words], { cwd: FOLDER });
      expect({ words, exitCode, said: exitCode === 0 ? "" : `${stdout}${stderr}` }).toEqual({
        words,
        exitCode: 0,
        said: "",
      });
    }
  });
});
