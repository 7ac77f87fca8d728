import { Text } from "@mantine/core";
import type { Told } from "../../src/shared/disclosure.ts";
import { useText } from "../app/i18n.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { useSourceName } from "./source_name.ts";
import classes from "./told_sources.module.css";

/** Which source was told what about an address, for its owner. */
export function ToldSources({ told }: { told: Told[] }) {
  const text = useText();
  const nameOf = useSourceName();
  const formatDate = useFormatDate();
  const day = (iso: string) => formatDate(iso, { dateStyle: "medium" });
  if (told.length === 0) return <Text>{text("told.nothing")}</Text>;
  return (
    <>
      <Text>{text("told.lead")}</Text>
      <dl className={classes.told}>
        {told.map(({ source, form, firstAt, lastAt, times }) => (
          <div key={`${source} ${form}`}>
            <dt>{nameOf(source)}</dt>
            <dd>{text(`told.${form}`)}</dd>
            <dd>{text("told.times", { times, first: day(firstAt), last: day(lastAt) })}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
