import { dataClassKey } from "../../src/shared/breach.ts";
import { type DataGroup, groupOf } from "../../src/shared/data_groups.ts";
import { CLASS_PATHS, GROUP_PATHS } from "./data_icon_paths.ts";

function Strokes({ path, size }: { path: string; size: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  );
}

/** The picture of a kind of stolen data, or of its group; decorative, as its name stands beside it. */
export function DataIcon({ label, size = 15 }: { label: string; size?: number }) {
  return <Strokes path={pathOf(dataClassKey(label))} size={size} />;
}

export function GroupIcon({ group, size = 18 }: { group: DataGroup; size?: number }) {
  return <Strokes path={GROUP_PATHS[group]} size={size} />;
}

export function pathOf(key: string): string {
  return (CLASS_PATHS as Record<string, string | undefined>)[key] ?? GROUP_PATHS[groupOf(key)];
}
