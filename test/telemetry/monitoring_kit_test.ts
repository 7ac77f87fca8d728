import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lacks } from "../support/tools.ts";
import { everySeries } from "./readings.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "docs/deploy");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");

type Rules = { groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[] };
type UnitTests = { tests: { input_series: { series: string }[] }[] };
type Scrapes = { scrape_configs: [{ job_name: string }] };
type Dashboard = { panels: { id: number; title: string; targets: { expr: string; legendFormat?: string }[] }[] };
const rules = (Bun.YAML.parse(read("alerts.yaml")) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read("grafana.json")) as Dashboard;
const UNIT_TESTS = new Set(
  (Bun.YAML.parse(read("alerts_test.yaml")) as UnitTests).tests.flatMap(({ input_series: list }) =>
    list.map(({ series }) => series),
  ),
);
const [{ job_name: scraped }] = (Bun.YAML.parse(read("prometheus.yaml")) as Scrapes).scrape_configs;
/** Labels whose values are constants of the code or of the kit. */
const FIXED = ["state", "job"];

type Labels = Map<string, Set<string>>;

/** The values of each label of each series that the product exports, as Prometheus has them after a scrape. */
async function exported(): Promise<Map<string, Labels>> {
  const series = new Map<string, Labels>();
  const add = (name: string, label: string, value: string) => {
    const labels = series.get(name) ?? new Map<string, Set<string>>();
    series.set(name, labels.set(label, (labels.get(label) ?? new Set()).add(value)));
  };
  for (const reading of (await everySeries()).keys()) {
    const [, name = "", labels = ""] = /^(\w+)(?:\{(.*)\})?$/.exec(reading) ?? [];
    // The scrape has a label "job" of its own.
    for (const [, label = "", value = ""] of labels.matchAll(/(\w+)="([^"]*)"/g))
      add(name, label === "job" ? "exported_job" : label, value);
    add(name, "job", scraped);
    add(name, "instance", "one:9464");
  }
  for (const label of ["job", "instance"]) add("up", label, label === "job" ? scraped : "one:9464");
  return series;
}

const known = await exported();

/** The series of an expression, each with its matchers. */
function selectorsOf(
  expression: string,
): { name: string; matchers: { label: string; operator: string; value: string }[] }[] {
  return [...expression.matchAll(/\b((?:breachbell|process|nodejs)_\w+|up(?=\{))(?:\{([^}]*)\})?/g)].map(
    ([, name = "", within = ""]) => ({
      name,
      matchers: [...within.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = "", operator = "", value = ""]) => {
        return { label, operator, value };
      }),
    }),
  );
}

/** The labels that an expression's results have: those of its `by`, none after an aggregation without it, else those of its series. */
function resultLabels(expression: string): Set<string> {
  const groupings = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
  if (groupings.length > 0) return new Set(groupings);
  if (/\b(?:sum|min|max|avg|count|topk) ?\(/.test(expression)) return new Set();
  return new Set(selectorsOf(expression).flatMap(({ name }) => [...(known.get(name)?.keys() ?? [])]));
}

/** Each grouping with the series that it groups: from its parenthesis to the end, which no expression here continues with others. */
function groupingsOf(expression: string): { label: string; names: string[] }[] {
  return [...expression.matchAll(/\bby \(([^)]*)\)(.*)/gs)].flatMap(([, list = "", rest = ""]) =>
    list.split(/,\s*/).map((label) => ({ label, names: selectorsOf(rest).map(({ name }) => name) })),
  );
}

const EXPRESSIONS = [
  ...rules.map(({ alert, expr, annotations }) => [alert, expr, annotations.summary] as const),
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat = "" }) => [`${title}: ${expr}`, expr, legendFormat] as const),
  ),
  ...[...UNIT_TESTS].map((series) => [`the unit test's ${series}`, series, ""] as const),
];

describe("the monitoring kit", () => {
  test.each(EXPRESSIONS)("%s asks only for series and labels that are exported", (_, expression, shown) => {
    const selectors = selectorsOf(expression);
    expect(selectors.length).toBeGreaterThan(0);
    for (const { name, matchers } of selectors) {
      const labels = known.get(name);
      expect({ name, isExported: labels !== undefined }).toEqual({ name, isExported: true });
      for (const { label, operator, value } of matchers) {
        expect({ name, label, is: labels?.has(label) }).toEqual({ name, label, is: true });
        // Other labels have values that only a running installation knows.
        if (operator === "=" && FIXED.includes(label)) expect([...(labels?.get(label) ?? [])]).toContain(value);
      }
    }
    for (const { label, names } of groupingsOf(expression))
      for (const name of names)
        expect({ name, label, is: known.get(name)?.has(label) }).toEqual({ name, label, is: true });
    const results = resultLabels(expression);
    for (const [, label = ""] of shown.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g))
      expect({ label, is: results.has(label) }).toEqual({ label, is: true });
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

  test.skipIf(lacks("promtool"))(
    "is accepted by promtool, and its rules pass their tests",
    () => {
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
    },
    30_000,
  );
});
