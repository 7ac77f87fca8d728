import { Title } from "@mantine/core";
import { useState } from "react";
import { type TogetherBreach, type TogetherReading, togetherOf } from "../../src/shared/combined_risk.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import { usePrinting } from "../ui/display/printing.ts";
import classes from "./combined_risk.module.css";

const SHOWN = 4;
const NAMED = 6;

type Props = {
  breaches: readonly TogetherBreach[];
  /** Opens a breach by its name, where the page can show it. */
  onOpen?: ((name: string) => void) | undefined;
};

/**
 * What an attacker could do by combining all breaches of an address; each statement names the breaches behind it. The
 * page has to load the topics `together` and `data_classes`.
 */
export function Together({ breaches, onOpen }: Props) {
  const togetherText = useTopic("together");
  const [opened, setExpanded] = useState(false);
  const expanded = usePrinting() || opened;
  const readings = togetherOf(breaches);
  const titles = new Map(breaches.map(({ name, title }) => [name, title]));
  const count = readings.length - SHOWN;
  return (
    <div>
      <p className={classes.intro}>{togetherText(readings.length > 0 ? "intro" : "none", "")}</p>
      {readings.length > 0 && (
        <ol className={classes.readings}>
          {readings.slice(0, expanded ? readings.length : SHOWN).map((reading) => (
            <Statement key={reading.reading} reading={reading} titles={titles} onOpen={onOpen} />
          ))}
        </ol>
      )}
      {count > 0 && (
        <button type="button" className={classes.more} aria-expanded={expanded} onClick={() => setExpanded(!opened)}>
          {expanded ? togetherText("fewer", "") : togetherText("more", "", { count })}
        </button>
      )}
    </div>
  );
}

type NamedProps = Pick<StatementProps, "titles" | "onOpen"> & { names: string[] };

/** The breaches behind a statement; of a long list only the first, the rest behind a button. */
function Named({ names, titles, onOpen }: NamedProps) {
  const text = useText();
  const [opened, setExpanded] = useState(false);
  const expanded = usePrinting() || opened;
  const hidden = names.length - NAMED;
  return (
    <>
      {names.slice(0, expanded ? names.length : NAMED).map((name) => (
        <dd key={name} data-breach className="breakable">
          {onOpen ? (
            <button type="button" onClick={() => onOpen(name)}>
              {titles.get(name) ?? name}
            </button>
          ) : (
            (titles.get(name) ?? name)
          )}
        </dd>
      ))}
      {hidden > 0 && (
        <dd>
          <button type="button" className={classes.rest} aria-expanded={expanded} onClick={() => setExpanded(!opened)}>
            {expanded ? text("alerts.fewer") : text("alerts.more", { count: hidden })}
          </button>
        </dd>
      )}
    </>
  );
}

type StatementProps = Pick<Props, "onOpen"> & { reading: TogetherReading; titles: ReadonlyMap<string, string> };

function Statement({ reading, titles, onOpen }: StatementProps) {
  const togetherText = useTopic("together");
  const classText = useTopic("data_classes");
  return (
    <li>
      <Title order={3}>{togetherText(`title.${reading.reading}`, reading.reading)}</Title>
      <p>{togetherText(`text.${reading.reading}`, "")}</p>
      <dl>
        <div>
          <dt>{togetherText(reading.breaches.length > 1 ? "from_together" : "from_one", "")}</dt>
          <Named names={reading.breaches} titles={titles} onOpen={onOpen} />
        </div>
        {reading.classes.length > 0 && (
          <div>
            <dt>{togetherText("rests_on", "")}</dt>
            <dd>{reading.classes.map((key) => classText(key, key)).join(", ")}</dd>
          </div>
        )}
      </dl>
    </li>
  );
}
