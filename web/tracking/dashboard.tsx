import { Button, Group, Stack, Title } from "@mantine/core";
import { IconClockPause, IconMailPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Dashboard as Answer } from "../api/api.ts";
import { subscriptionQuery } from "../api/queries.ts";
import { Text, useText } from "../app/i18n.tsx";
import { PlanNotice } from "../shared/plan_notice.tsx";
import { Card } from "../ui/display/card.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { AccessRequests } from "./access_requests.tsx";
import { DashboardLoading, useDashboardReady } from "./dashboard_loading.tsx";
import { type DashboardView, type Show, useDashboardView } from "./dashboard_view.ts";
import { ExposureOverview } from "./exposure_overview.tsx";
import { GrantedPermissions } from "./granted_permissions.tsx";
import classes from "./headline.module.css";
import { Headline, HeadlineAction } from "./headline.tsx";
import { OverPlan } from "./over_plan.tsx";
import { OwnDomain } from "./own_domain.tsx";
import { PlanLine } from "./plan_line.tsx";
import { useDashboard, useRefetchAlerts } from "./queries.ts";
import { ReachNotice } from "./reach_notice.tsx";
import { SentInvitations } from "./sent_invitations.tsx";
import { isOver, overallState, type Standing } from "./standing.ts";
import { TrackedEmails } from "./tracked_emails.tsx";

export default function Dashboard() {
  const text = useText();
  const { view, show } = useDashboardView();
  const { data, error, refetch } = useDashboard(view);
  const { data: subscription } = useQuery(subscriptionQuery);
  const isReady = useDashboardReady(view);
  useRefetchAlerts(data);
  const known =
    isReady && data ? { dashboard: data, standing: overallState(data, { isOver: isOver(subscription) }) } : null;
  return (
    <>
      <div className={classes.head}>
        <div className={classes.words}>
          <Title order={1} tabIndex={-1}>
            {text("dashboard.title")}
          </Title>
          {known && <Headline {...known} />}
        </div>
        {isReady && (
          <Group gap={8}>
            {known && <HeadlineAction {...known} />}
            <TrackNew isMain={known === null || known.dashboard.tracked.waiting.alerts === 0} />
          </Group>
        )}
      </div>
      {known && <Lists {...known} view={view} show={show} />}
      {!isReady && <DashboardLoading />}
      {isReady && !data && error && (
        <Card>
          <LoadFailure title={text("dashboard.load_failed")} error={error} onRetry={() => refetch()} />
        </Card>
      )}
    </>
  );
}

/** A link to track another address; hidden without a plan, as the headline then links to the plans. */
function TrackNew({ isMain }: { isMain: boolean }) {
  const text = useText();
  const { data } = useQuery(subscriptionQuery);
  if (data === undefined || data.status === "inactive") return null;
  return (
    <Button
      component={Link}
      to="../new-track"
      size="sm"
      variant={isMain ? "filled" : "default"}
      leftSection={<IconMailPlus size={20} aria-hidden="true" />}
    >
      {text("nav.new_track")}
    </Button>
  );
}

type ListsProps = { dashboard: Answer; standing: Standing; view: DashboardView; show: Show };

function Lists({ dashboard, standing, view, show }: ListsProps) {
  const { tracked, requests } = dashboard;
  // The key keeps its state, such as an open dialog, when it changes its position.
  const accessRequests = <AccessRequests key="access-requests" requests={requests} show={show} />;
  return (
    <Stack gap="sm">
      {requests.total > 0 && accessRequests}
      {standing.kind !== "over" && <PlanNotice />}
      <ReachNotice />
      {tracked.stale && <StaleNotice since={tracked.stale.since} />}
      <OverPlan page={tracked} />
      <TrackedEmails dashboard={dashboard} view={view} show={show} />
      <PlanLine tracked={tracked} />
      <ExposureOverview />
      <GrantedPermissions watchedBy={dashboard.watchedBy} mayWatch={dashboard.mayWatch} show={show} />
      <OwnDomain />
      <SentInvitations sent={dashboard.sent} show={show} />
      {requests.total === 0 && accessRequests}
    </Stack>
  );
}

/** Says that checks are delayed, so the data may be outdated; the user need not act. */
function StaleNotice({ since }: { since: string }) {
  return (
    <div role="status">
      <Notice icon={IconClockPause} tone="note">
        <Text id="stale.notice" values={{ since: <Moment iso={since} /> }} />
      </Notice>
    </div>
  );
}
