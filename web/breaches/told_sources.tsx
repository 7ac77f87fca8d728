import { Text } from "@mantine/core";
import type { Monitoring } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { useSourceName } from "../shared/source_name.ts";
import { useFormatDate } from "../ui/display/format_date.ts";
import { Fold } from "./fold.tsx";
import classes from "./screen_track.module.css";

/** Which source was told what about the address: only for its owner. */
export function ToldSources({ told }: { told: NonNullable<Monitoring["told"]> }) {
  const text = useText();
  const nameOf = useSourceName();
  const formatDate = useFormatDate();
  const day = (iso: string) => formatDate(iso, { dateStyle: "medium" });
  return (
    <Fold order={2} title={text("told.title")}>
      <Text>{text(told.length > 0 ? "told.lead" : "told.nothing")}</Text>
      {told.length > 0 && (
        <dl className={classes.told}>
          {told.map(({ source, form, firstAt, lastAt, times }) => (
            <div key={`${source} ${form}`}>
              <dt>{nameOf(source)}</dt>
              <dd>{text(`told.${form}`)}</dd>
              <dd>{text("told.times", { times, first: day(firstAt), last: day(lastAt) })}</dd>
            </div>
          ))}
        </dl>
      )}
    </Fold>
  );
}
