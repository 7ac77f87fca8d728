import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import LABELS from "../../src/breaches/adapters/sources/xposedornot/data_classes.json";
import { dataClassKey } from "../../src/shared/breach.ts";
import { byGroup, DATA_GROUPS, groupOf } from "../../src/shared/data_groups.ts";
import { LANGUAGES, type Language } from "../../src/shared/language.ts";
import { LEVELS, SERIOUSNESS_RULES } from "../../src/shared/severity.ts";
import { pathOf } from "../../web/shared/data_icon.tsx";
import { CLASS_PATHS } from "../../web/shared/data_icon_paths.ts";
import { GROUP_PATHS } from "../../web/shared/group_icon_paths.ts";

function wordsOf(language: Language, topic: string): Record<string, string> {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../../locales", language, `${topic}.json`), "utf8"));
}

describe.each([...LANGUAGES])("data categories in %s", (language) => {
  test("each of the 169 has a text, a group with a name and an icon", () => {
    const [words, groups] = [wordsOf(language, "data_classes"), wordsOf(language, "data_groups")];
    expect(LABELS).toHaveLength(169);
    for (const label of LABELS) {
      const key = dataClassKey(label);
      const group = groupOf(key);
      expect({ label, word: typeof words[key], group: typeof groups[group] }).toEqual({
        label,
        word: "string",
        group: "string",
      });
      expect({ label, isNew: group === "other" }).toEqual({ label, isNew: false });
      expect(pathOf(key)).toMatch(/^M[\d.\sa-zA-Z-]+$/);
    }
  });

  test("have texts for every group, level and rule, and for nothing else", () => {
    expect(Object.keys(wordsOf(language, "data_groups")).toSorted()).toEqual([...DATA_GROUPS].toSorted());
    const serious = ["label", "line", "why", ...LEVELS.map((level) => `level_${level}`), ...SERIOUSNESS_RULES];
    expect(Object.keys(wordsOf(language, "seriousness")).toSorted()).toEqual(serious.toSorted());
  });
});

describe("groups", () => {
  test("all have members except the one for unknown categories", () => {
    const used = new Set(LABELS.map((label) => groupOf(dataClassKey(label))));
    expect(DATA_GROUPS.filter((group) => !used.has(group))).toEqual(["other"]);
    expect(groupOf("shoe-colours")).toBe("other");
  });

  test("contain each category once", () => {
    const source = readFileSync(join(import.meta.dirname, "../../src/shared/data_groups.ts"), "utf8");
    const [, table = ""] = /const GROUPS = \{([\s\S]*?)\n\} as const/.exec(source) ?? [];
    const keys = [...table.matchAll(/"([a-z-]+)"/g)].map(([, key]) => key ?? "");
    expect(keys.toSorted()).toEqual(LABELS.map(dataClassKey).toSorted());
  });

  test("keep related categories in order, unknown ones last", () => {
    const keys = ["new-one", "names", "credit-cards", "usernames", "passwords"].toSorted(byGroup);
    expect(keys).toEqual(["passwords", "usernames", "credit-cards", "names", "new-one"]);
  });

  test("and the most important categories have unique icons", () => {
    const paths = [...Object.values(GROUP_PATHS), ...Object.values(CLASS_PATHS)];
    expect(Object.keys(CLASS_PATHS).length).toBeGreaterThanOrEqual(25);
    expect(new Set(paths).size).toBe(paths.length);
    for (const key of Object.keys(CLASS_PATHS)) expect(groupOf(key)).not.toBe("other");
  });
});
