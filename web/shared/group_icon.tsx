import type { DataGroup } from "../../src/shared/data_groups.ts";
import { GROUP_PATHS } from "./group_icon_paths.ts";

export function Strokes({ path, size }: { path: string; size: number }) {
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

export function GroupIcon({ group, size = 18 }: { group: DataGroup; size?: number }) {
  return <Strokes path={GROUP_PATHS[group]} size={size} />;
}
