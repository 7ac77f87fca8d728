import { Anchor } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconHourglass } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import { Link } from "react-router";
import { useText } from "../app/i18n.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { lengthOf, type Outcome } from "./drill_outcome.ts";
import classes from "./fire_drill.module.css";

type Props = { outcome: Outcome; isHandled: boolean };

const LOOKS = {
  works: { icon: IconCircleCheck, tone: "safe" },
  needless: { icon: IconCircleCheck, tone: "quiet" },
  waiting: { icon: IconHourglass, tone: "note" },
  failed: { icon: IconAlertTriangle, tone: "alarm" },
} as const;

/** The result so far: that delivery works, or what did not arrive and how to fix it. */
export function DrillVerdict({ outcome, isHandled }: Props) {
  return (
    <div role="status" className={classes.verdict}>
      <Verdict outcome={outcome} isHandled={isHandled} />
    </div>
  );
}

function Verdict({ outcome: { kind, reached, total, tookMs }, isHandled }: Props) {
  const text = useText();
  const { formatNumber } = useIntl();
  if (kind === "under_way") return null;
  const { value, unit } = lengthOf(tookMs);
  const span = formatNumber(value, { style: "unit", unit, unitDisplay: "long" });
  const { icon, tone } = LOOKS[kind];
  return (
    <Notice icon={icon} tone={tone}>
      <strong>{text(`drill.${kind}`, { reached, total, span })}</strong>{" "}
      {kind === "works" && text(isHandled ? "drill.works_whole" : "drill.works_next")}
      {kind === "waiting" && `${text("drill.waiting_why")} `}
      {kind === "failed" && `${text("drill.failed_why")} `}
      {(kind === "waiting" || kind === "failed") && (
        <Anchor component={Link} to="../contacts" inherit c="inherit" underline="always">
          {text("delivery.see_contacts")}
        </Anchor>
      )}
    </Notice>
  );
}
