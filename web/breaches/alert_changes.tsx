import { Title } from "@mantine/core";
import { useIntl } from "react-intl";
import { type BreachFlag, dataClassKey } from "../../src/shared/breach.ts";
import type { AlertDetails } from "../api/api.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import classes from "./alert_changes.module.css";
import { WorseBadge } from "./alert_parts.tsx";

type Change = AlertDetails["changes"][number];

/** What has changed about the breach since it was found, by day. */
export function AlertChanges({ changes }: { changes: Change[] }) {
  const text = useText();
  const linesOf = useChangeLines();
  if (changes.length === 0) return null;
  return (
    <section>
      <Title order={5} size="h4">
        {text("alert.changes")}
      </Title>
      <ol className={classes.changes}>
        {changes.map((change) => (
          <li key={change.at} data-worse={change.worse || undefined}>
            <div className={classes.when}>
              <Moment iso={change.at} />
              {change.worse && <WorseBadge />}
            </div>
            {linesOf(change).map((line) => (
              <p key={line}>{line}</p>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

function useChangeLines() {
  const dataLines = useDataLines();
  const flagLines = useFlagLines();
  const correctionLines = useCorrectionLines();
  return (change: Change) => [...dataLines(change), ...flagLines(change), ...correctionLines(change)];
}

function useDataLines() {
  const text = useText();
  const { formatList } = useIntl();
  const classText = useTopic("data_classes");
  const listOf = (labels: string[]) => formatList(labels.map((label) => classText(dataClassKey(label), label)));
  return ({ addedClasses, removedClasses }: Change) => [
    ...(addedClasses.length > 0 ? [text("change.added", { list: listOf(addedClasses) })] : []),
    ...(removedClasses.length > 0 ? [text("change.removed", { list: listOf(removedClasses) })] : []),
  ];
}

/** Losing the flag "unverified" is worded as an improvement. */
function useFlagLines() {
  const text = useText();
  const { formatList } = useIntl();
  const flagText = useTopic("flags");
  const listOf = (flags: BreachFlag[]) => formatList(flags.map((flag) => flagText(`${flag}_label`, flag)));
  return ({ addedFlags, removedFlags, retired }: Change) => {
    const isVerified = removedFlags.includes("unverified");
    const lost = removedFlags.filter((flag) => flag !== "unverified");
    return [
      ...(addedFlags.length > 0 ? [text("change.marked", { list: listOf(addedFlags) })] : []),
      ...(isVerified ? [text("change.verified")] : []),
      ...(lost.length > 0 ? [text("change.unmarked", { list: listOf(lost) })] : []),
      ...(retired === null ? [] : [text(retired ? "change.retired" : "change.listed")]),
    ];
  };
}

function useCorrectionLines() {
  const text = useText();
  const { formatNumber } = useIntl();
  const formatDate = useFormatDate();
  const day = (iso: string) => formatDate(iso, { dateStyle: "medium", timeZone: "UTC" });
  return ({ count, happened, known, title }: Change) => [
    ...(count ? [text("change.count", { from: formatNumber(count.from), to: formatNumber(count.to) })] : []),
    ...(happened ? [text("change.happened", { from: day(happened.from), to: day(happened.to) })] : []),
    ...(known ? [text("change.known", { from: day(known.from), to: day(known.to) })] : []),
    ...(title ? [text("change.title", title)] : []),
  ];
}
