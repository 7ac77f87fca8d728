import { Button, Stack } from "@mantine/core";
import { IconMailPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { useText } from "../i18n.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty_state.tsx";
import { PageHead } from "../ui/page_head.tsx";
import { PlanNotice } from "../ui/plan_notice.tsx";
import { AccessRequests } from "./access_requests.tsx";
import { DashboardLoading, useDashboardReady } from "./dashboard_loading.tsx";
import { ExposureOverview } from "./exposure_overview.tsx";
import { GrantedPermissions } from "./granted_permissions.tsx";
import { OverPlan } from "./over_plan.tsx";
import { associationsQuery, EVERY_ADDRESS, useAlertsInStep } from "./queries.ts";
import { ReachNotice } from "./reach_notice.tsx";
import classes from "./section.module.css";
import { SectionTitle } from "./section.tsx";
import { SectionJumps } from "./section_jumps.tsx";
import { SentInvitations } from "./sent_invitations.tsx";
import { StaleNotice } from "./stale_notice.tsx";
import { Summary } from "./summary.tsx";
import { TrackedEmails } from "./tracked_emails.tsx";

export default function Dashboard() {
  const text = useText();
  const { lang } = useParams();
  const { data, isError } = useQuery(associationsQuery(EVERY_ADDRESS));
  const isReady = useDashboardReady();
  useAlertsInStep(data);
  return (
    <>
      <PageHead
        title={text("dashboard.title")}
        action={
          <Button
            component={Link}
            to={`/${lang}/new-track`}
            leftSection={<IconMailPlus size={20} aria-hidden="true" />}
          >
            {text("nav.new_track")}
          </Button>
        }
      />
      {isReady ? (
        <Stack gap="xl">
          <PlanNotice />
          <Summary page={data} isUnknown={data === undefined && isError} />
          <ExposureOverview />
          <ReachNotice />
          {data?.stale && <StaleNotice since={data.stale.since} />}
          <SectionJumps tracked={data?.counts.all} />
          {data && <OverPlan page={data} />}
          {data?.capacity.used === 0 ? <FirstSteps /> : <TrackedEmails />}
          <GrantedPermissions />
          <SentInvitations />
          <AccessRequests />
        </Stack>
      ) : (
        <DashboardLoading />
      )}
    </>
  );
}

function FirstSteps() {
  const text = useText();
  const { lang } = useParams();
  return (
    <section aria-labelledby="tracked-emails" className={classes.section}>
      <SectionTitle id="tracked-emails" title={text("dashboard.tracked")} count={0} />
      <Card>
        <EmptyState
          icon={IconMailPlus}
          title={text("dashboard.empty_title")}
          action={
            <Button component={Link} to={`/${lang}/new-track`}>
              {text("dashboard.empty_action")}
            </Button>
          }
        >
          {text("dashboard.empty")}
        </EmptyState>
      </Card>
    </section>
  );
}
