import "@mantine/core/styles/Tooltip.layer.css";
import { Tooltip } from "@mantine/core";
import { IconFlag } from "@tabler/icons-react";
import type { BreachFlag } from "../../src/shared/breach.ts";
import { useTopic } from "../app/i18n.tsx";
import { Badge } from "../ui/display/badge.tsx";
import classes from "./breach_flags.module.css";

/** The flags that the source sets; their explanation is a tooltip. */
export function Flags({ flags }: { flags: BreachFlag[] }) {
  const flagText = useTopic("flags");
  if (flags.length === 0) return null;
  return (
    <ul className={classes.flags}>
      {flags.map((flag) => (
        <li key={flag}>
          <Tooltip
            label={flagText(flag, flag)}
            multiline
            maw={320}
            withArrow
            events={{ hover: true, focus: true, touch: true }}
          >
            <button type="button" className={classes.flag}>
              <Badge tone="note" icon={IconFlag}>
                {flagText(`${flag}_label`, flag)}
              </Badge>
            </button>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}
