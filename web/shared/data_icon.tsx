import { dataClassKey } from "../../src/shared/breach.ts";
import { groupOf } from "../../src/shared/data_groups.ts";
import { CLASS_PATHS } from "./data_icon_paths.ts";
import { Strokes } from "./group_icon.tsx";
import { GROUP_PATHS } from "./group_icon_paths.ts";

/** The icon of a kind of stolen data, or of its group; decorative, as its name is next to it. */
export function DataIcon({ label, size = 15 }: { label: string; size?: number }) {
  return <Strokes path={pathOf(dataClassKey(label))} size={size} />;
}

export function pathOf(key: string): string {
  return (CLASS_PATHS as Record<string, string | undefined>)[key] ?? GROUP_PATHS[groupOf(key)];
}
