import { type Risk, risksOf } from "../../src/shared/advice.ts";
import { isDrill } from "../../src/shared/breach.ts";
import { togetherOf } from "../../src/shared/combined_risk.ts";
import { figuresOf } from "../../src/shared/exposure_figures.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { Together } from "../shared/combined_risk.tsx";
import { FEWEST_BREACHES, StolenKinds } from "../shared/exposure_figures.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fold } from "./fold.tsx";
import classes from "./screen_track.module.css";
import type { Shown } from "./timeline_plot.tsx";

type Props = { shown: Shown[]; onOpen: (alertId: string) => void };

/** Combined risk, possible consequences and kinds of data, in collapsible sections. */
export function MonitoringMore({ shown, onOpen }: Props) {
  const real = shown.filter(({ breach }) => !isDrill(breach));
  if (shown.length === 0) return null;
  return (
    <Card className={classes.more}>
      <Readings shown={shown} onOpen={onOpen} />
      {real.length > 0 && <Enables risks={risksOf(real.map(({ breach }) => breach))} />}
      <Kinds real={real} />
    </Card>
  );
}

/** `onOpen` is set for the account that manages the alerts. */
function Readings({ shown, onOpen }: Props) {
  const togetherText = useTopic("together");
  const breaches = shown.map(({ breach }) => breach);
  if (breaches.length < 2 && togetherOf(breaches).length === 0) return null;
  const alertIds = new Map(shown.map(({ breach, alertId }) => [breach.name, alertId]));
  const isManaged = shown.every(({ alertId }) => alertId !== null);
  return (
    <Fold order={2} title={togetherText("heading", "")}>
      <Together breaches={breaches} onOpen={isManaged ? (name) => onOpen(alertIds.get(name) ?? "") : undefined} />
    </Fold>
  );
}

function Enables({ risks }: { risks: Risk[] }) {
  const text = useText();
  return (
    <Fold order={2} title={text("enables.title")}>
      <ul className={classes.enables}>
        {risks.map((risk) => (
          <li key={risk}>{text(`enables.${risk}` satisfies TextId)}</li>
        ))}
      </ul>
    </Fold>
  );
}

/** Only if there are several breaches to summarise. */
function Kinds({ real }: { real: Shown[] }) {
  const text = useText();
  if (real.length < FEWEST_BREACHES) return null;
  const figures = figuresOf(
    real.map(({ breach: { breachDate, dataClasses }, state }) => ({
      breachDate,
      dataClasses,
      open: state === null ? null : state === "pending",
    })),
  );
  return (
    <Fold order={2} title={text("figures.kinds")}>
      <StolenKinds figures={figures} />
    </Fold>
  );
}
