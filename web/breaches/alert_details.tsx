import { Drawer, Text as Paragraph, Skeleton, Stack, Title } from "@mantine/core";
import { IconGhost2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type Breach, type AlertDetails as Details, isApiError } from "../api.ts";
import { useExplain } from "../errors.tsx";
import { useText } from "../i18n.tsx";
import { Address } from "../ui/address.tsx";
import { GroupedDataClasses } from "../ui/data_classes.tsx";
import { EmptyState } from "../ui/empty_state.tsx";
import { useFocusBack } from "../ui/focus.ts";
import { LoadFailure } from "../ui/load_failure.tsx";
import { AlertAdvice } from "./alert_advice.tsx";
import { AlertChanges } from "./alert_changes.tsx";
import { AlertDeliveries } from "./alert_deliveries.tsx";
import classes from "./alert_details.module.css";
import { AlertFacts } from "./alert_facts.tsx";
import { StateBadge } from "./alert_parts.tsx";
import { AlertStory } from "./alert_story.tsx";
import { useBreachTitle } from "./breach_name.ts";
import { BreachTile } from "./breach_tile.tsx";
import { DrillNotice } from "./drill_notice.tsx";
import { useHandling } from "./handling.tsx";
import { alertQuery } from "./queries.ts";
import { Seriousness } from "./seriousness.tsx";
import { SourceNote } from "./source_note.tsx";
import { ToggleButton } from "./toggle_button.tsx";

type Props = { id: string | undefined; onClose: () => void };

/** Everything about one alert, beside the list; it has an address of its own (`?alert=`), which messages link to. */
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
  const explain = useExplain();
  const { data: alert, error, refetch } = useQuery(alertQuery(id));
  if (isApiError(error) && error.code === "NOT_FOUND") return <Gone />;
  if (alert) return <Told alert={alert} />;
  if (!error) return <Loading />;
  return <LoadFailure title={text("alert.load_failed")} message={explain(error)} onRetry={() => refetch()} />;
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

function Told({ alert }: { alert: Details }) {
  const text = useText();
  const { breach, changes } = alert;
  return (
    <Stack gap="xl">
      <Head alert={alert} />
      {breach ? (
        <>
          <DrillNotice breach={breach} />
          <Seriousness breach={breach} />
          <AlertFacts alert={alert} />
          <Stolen breach={breach} />
          <AlertAdvice alert={alert} breach={breach} />
          <AlertStory alert={alert} breach={breach} />
          <AlertChanges changes={changes} />
          <AlertDeliveries id={alert.id} />
          <SourceNote shown={[alert]} />
        </>
      ) : (
        <>
          <AlertFacts alert={alert} />
          <p className={classes.note}>{text("alert.undisclosed")}</p>
          <AlertDeliveries id={alert.id} />
        </>
      )}
    </Stack>
  );
}

function Stolen({ breach }: { breach: Breach }) {
  const text = useText();
  if (breach.dataClasses.length === 0) return null;
  return (
    <section>
      <Title order={4} size="h3" mb={10}>
        {text("alerts.data")}
      </Title>
      <GroupedDataClasses labels={breach.dataClasses} />
    </section>
  );
}

function Head({ alert }: { alert: Details }) {
  const text = useText();
  const titleOf = useBreachTitle();
  const { breach, state } = alert;
  return (
    <div>
      <div className={classes.head}>
        <BreachTile breach={breach} large />
        <div>
          <Title order={3} size="h2" className="breakable">
            {breach ? titleOf(breach) : text("alerts.undisclosed")}
          </Title>
          {breach && (
            <Paragraph c="dimmed">
              <Address>{breach.domain}</Address>
            </Paragraph>
          )}
        </div>
      </div>
      <div className={classes.state}>
        <StateBadge state={state} />
        <ToggleButton alert={alert} />
      </div>
    </div>
  );
}
