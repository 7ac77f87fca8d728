import { Text as Paragraph, Skeleton, Stack, Title } from "@mantine/core";
import { IconGhost2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type Breach, type AlertDetails as Details, isApiError } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { AdviceEnables } from "../shared/advice_enables.tsx";
import { GroupedDataClasses } from "../shared/data_classes.tsx";
import { SourceNote } from "../shared/source_note.tsx";
import { useFocusBack } from "../ui/dialog/focus.ts";
import { Drawer } from "../ui/dialog/overlays.ts";
import { Address } from "../ui/display/address.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { AlertAdvice } from "./alert_advice.tsx";
import { AlertChanges } from "./alert_changes.tsx";
import { AlertDeliveries } from "./alert_deliveries.tsx";
import classes from "./alert_details.module.css";
import { AlertFacts } from "./alert_facts.tsx";
import { ChangedSinceBadge, StateBadge, WorseBadge } from "./alert_parts.tsx";
import { AlertStory, explainedFlags } from "./alert_story.tsx";
import { useBreachTitle } from "./breach_name.ts";
import { BreachTile } from "./breach_tile.tsx";
import { DataLine } from "./data_line.tsx";
import { DrillNotice } from "./drill_notice.tsx";
import { Fold } from "./fold.tsx";
import { NamedService } from "./found_under.tsx";
import { useHandling } from "./handling.tsx";
import { alertQuery } from "./queries.ts";
import { Seriousness, SeriousnessBadge } from "./severity.tsx";
import { ToggleButton } from "./toggle_button.tsx";

type Props = { id: string | undefined; onClose: () => void };

/** The details of an alert in a drawer beside the list; its URL (`?alert=`) is used in messages. */
export function AlertDetails({ id, onClose }: Props) {
  const text = useText();
  const { isAsking } = useHandling();
  useFocusBack(id !== undefined);
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      closeOnEscape={!isAsking}
      returnFocus={false}
      position="right"
      size={680}
      padding="lg"
      title={text("alert.title")}
      closeButtonProps={{ "aria-label": text("close") }}
    >
      {id !== undefined && <Fetched id={id} />}
    </Drawer>
  );
}

function Fetched({ id }: { id: string }) {
  const text = useText();
  const { data: alert, error, refetch } = useQuery(alertQuery(id));
  if (isApiError(error) && error.code === "NOT_FOUND") return <Gone />;
  if (alert) return <AlertContents alert={alert} />;
  if (!error) return <Loading />;
  return <LoadFailure title={text("alert.load_failed")} error={error} onRetry={() => refetch()} />;
}

function Loading() {
  return (
    <Stack gap="lg">
      <Skeleton height={52} radius="lg" />
      <Skeleton height={110} radius="lg" />
      <Skeleton height={240} radius="lg" />
    </Stack>
  );
}

function Gone() {
  const text = useText();
  return (
    <EmptyState icon={IconGhost2} title={text("alert.gone_title")}>
      {text("alert.gone")}
    </EmptyState>
  );
}

function AlertContents({ alert }: { alert: Details }) {
  const text = useText();
  const { breach } = alert;
  const deliveries = (
    <Fold title={text("delivery.title")}>
      <AlertDeliveries id={alert.id} />
    </Fold>
  );
  return (
    <Stack gap="lg">
      <Head alert={alert} />
      {breach ? (
        <>
          <DrillNotice breach={breach} />
          <NamedService foundUnder={alert.foundUnder} />
          <AlertAdvice alert={alert} breach={breach} />
          <div>
            <Fold title={text("alert.facts")}>
              <Seriousness breach={breach} />
              <AlertFacts alert={alert} />
              <Stolen breach={breach} />
              <AdviceEnables dataClasses={breach.dataClasses} />
            </Fold>
            <Story alert={alert} breach={breach} />
            {deliveries}
          </div>
          <SourceNote shown={[alert]} />
        </>
      ) : (
        <>
          <AlertFacts alert={alert} />
          <p className={classes.note}>{text("alert.undisclosed")}</p>
          {deliveries}
        </>
      )}
    </Stack>
  );
}

/** The description, its reliability and later changes; nothing if the source gives none of these. */
function Story({ alert, breach }: { alert: Details; breach: Breach }) {
  const text = useText();
  const { description, disclosureUrl, changes } = alert;
  const isTold = description !== null || disclosureUrl !== null || changes.length > 0;
  if (!isTold && explainedFlags(breach).length === 0) return null;
  return (
    <Fold title={text("alert.what_happened")}>
      <AlertStory alert={alert} breach={breach} />
      <AlertChanges changes={changes} />
    </Fold>
  );
}

function Stolen({ breach }: { breach: Breach }) {
  const text = useText();
  if (breach.dataClasses.length === 0) return null;
  return (
    <section>
      <Title order={5} size="h4" mb={10}>
        {text("alerts.data")}
      </Title>
      <GroupedDataClasses labels={breach.dataClasses} />
    </section>
  );
}

function Head({ alert }: { alert: Details }) {
  const text = useText();
  const titleOf = useBreachTitle();
  const { breach, state, worsenedAt, changedSince } = alert;
  // If there is advice, the button to mark as handled follows its last step.
  const isTurnedHere = breach === null || state === "handled";
  return (
    <div>
      <div className={classes.head}>
        <BreachTile breach={breach} large />
        <div className={classes.names}>
          <Title order={3} size="h2" className="breakable">
            {breach ? titleOf(breach) : text("alerts.undisclosed")}
          </Title>
          {breach && (
            <>
              <Paragraph c="dimmed" size="sm">
                <Address>{alert.address}</Address>
              </Paragraph>
              <DataLine labels={breach.dataClasses} shown={3} />
            </>
          )}
        </div>
      </div>
      <div className={classes.state}>
        <div className={classes.badges}>
          {breach && <SeriousnessBadge breach={breach} />}
          <StateBadge state={state} />
          {worsenedAt !== null && <WorseBadge />}
          {changedSince === "after" && <ChangedSinceBadge />}
        </div>
        {isTurnedHere && <ToggleButton alert={alert} />}
      </div>
    </div>
  );
}
