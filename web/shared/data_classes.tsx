import { useState } from "react";
import { dataClassKey } from "../../src/shared/breach.ts";
import { type DataGroup, groupOf } from "../../src/shared/data_groups.ts";
import { byGravity, isGraveKind } from "../../src/shared/severity.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import { usePrinting } from "../ui/display/printing.ts";
import classes from "./data_classes.module.css";
import { DataIcon } from "./data_icon.tsx";
import { GroupIcon } from "./group_icon.tsx";

export function mostSevereFirst(labels: string[]): string[] {
  return labels.toSorted((one, other) => byGravity(dataClassKey(one), dataClassKey(other)));
}

/** One kind of stolen data; a kind that is not in the catalogue is shown as the source names it. */
function Chip({ label }: { label: string }) {
  const classText = useTopic("data_classes");
  const key = dataClassKey(label);
  return (
    <li className={classes.chip} data-grave={isGraveKind(key) || undefined}>
      <DataIcon label={label} />
      {classText(key, label)}
    </li>
  );
}

/** Kinds of stolen data, the most severe first; the rest behind a button. */
export function DataClasses({ labels, shown = 4 }: { labels: string[]; shown?: number }) {
  const text = useText();
  const [opened, setExpanded] = useState(false);
  const expanded = usePrinting() || opened;
  const hidden = labels.length - shown;
  return (
    <ul className={classes.chips}>
      {mostSevereFirst(labels)
        .slice(0, expanded ? labels.length : shown)
        .map((label) => (
          <Chip key={label} label={label} />
        ))}
      {hidden > 0 && (
        <li>
          <button type="button" className={classes.more} aria-expanded={expanded} onClick={() => setExpanded(!opened)}>
            {expanded ? text("alerts.fewer") : text("alerts.more", { count: hidden })}
          </button>
        </li>
      )}
    </ul>
  );
}

/** All kinds of stolen data by group, the group with the most severe kind first. */
export function GroupedDataClasses({ labels }: { labels: string[] }) {
  const groupText = useTopic("data_groups");
  const groups = new Map<DataGroup, string[]>();
  for (const label of mostSevereFirst(labels)) {
    const group = groupOf(dataClassKey(label));
    groups.set(group, [...(groups.get(group) ?? []), label]);
  }
  return (
    <ul className={classes.groups}>
      {[...groups].map(([group, members]) => (
        <li key={group}>
          <div className={classes.group}>
            <GroupIcon group={group} />
            {groupText(group, group)}
          </div>
          <ul className={classes.chips}>
            {members.map((label) => (
              <Chip key={label} label={label} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
