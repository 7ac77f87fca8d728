import { Anchor, Button, Group, Skeleton, Text } from "@mantine/core";
import {
  IconEyeCheck,
  IconPlayerPause,
  IconPrinter,
  IconSettings,
  IconShieldCheck,
  IconShieldSearch,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Navigate, useParams } from "react-router";
import { PRODUCT } from "../../src/shared/product.ts";
import { isApiError, type Monitoring } from "../api/api.ts";
import { errorPath } from "../app/guards.ts";
import { useText } from "../app/i18n.tsx";
import { SourceNote } from "../shared/source_note.tsx";
import { ToldSources } from "../shared/told_sources.tsx";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { STATUS } from "../ui/display/status.ts";
import { PageHead } from "../ui/frame/page_head.tsx";
import { AlertDetails } from "./alert_details.tsx";
import { FindingList } from "./finding_list.tsx";
import { Fold } from "./fold.tsx";
import { HandlingProvider } from "./handling.tsx";
import { MonitoringMore } from "./monitoring_more.tsx";
import { MonitoringSummary } from "./monitoring_summary.tsx";
import { monitoringQuery, tracesQuery } from "./queries.ts";
import classes from "./screen_track.module.css";
import { type Shown, TimelinePlot } from "./timeline_plot.tsx";
import { Traces } from "./traces.tsx";

/** Errors that have a page of their own: the permission ended while the screen was open. */
const REFUSALS: unknown[] = ["MONITORING_SUSPENDED", "INVITATION_PENDING", "MONITORING_NOT_AUTHORISED"];

/** The monitoring screen of one address. */
export default function ScreenTrack() {
  const text = useText();
  const { lang = "en", child_email = "" } = useParams();
  const { data, error, refetch } = useQuery(monitoringQuery(child_email));
  if (isApiError(error) && REFUSALS.includes(error.code)) return <Navigate to={errorPath(lang, error.code)} replace />;
  return (
    <>
      <Head address={data?.address ?? child_email} monitoring={data} />
      {data ? (
        <Screen monitoring={data} />
      ) : error ? (
        <Card>
          <LoadFailure title={text("monitor.load_failed")} error={error} onRetry={() => refetch()} />
        </Card>
      ) : (
        <Skeleton height={420} radius="lg" />
      )}
    </>
  );
}

function Head({ address, monitoring }: { address: string; monitoring: Monitoring | undefined }) {
  const text = useText();
  const status = monitoring && STATUS[monitoring.status];
  return (
    <PageHead
      title={
        <span className={classes.address}>
          <Address>{address}</Address>
        </span>
      }
      action={
        monitoring && (
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<IconPrinter size={18} aria-hidden="true" />}
              onClick={() => window.print()}
            >
              {text("monitor.print")}
            </Button>
            {monitoring.associationId && (
              <Button
                component={Link}
                to={`../update-track/${monitoring.associationId}`}
                variant="default"
                leftSection={<IconSettings size={18} aria-hidden="true" />}
              >
                {text("monitor.edit")}
              </Button>
            )}
          </Group>
        )
      }
    >
      {status && (
        <span className={classes.badge}>
          <Badge tone={status.tone} icon={status.icon}>
            {text(status.label)}
          </Badge>
        </span>
      )}
    </PageHead>
  );
}

function Screen({ monitoring }: { monitoring: Monitoring }) {
  const text = useText();
  const { findings, address } = monitoring;
  const [open, setOpen] = useState<string>();
  const shown = findings.filter((finding): finding is Shown => finding.breach !== null);
  return (
    <HandlingProvider>
      <div className={classes.sections}>
        <Printed />
        <ManagedBy monitoring={monitoring} />
        <MonitoringSummary monitoring={monitoring} shown={shown} />
        {findings.length > 0 ? (
          <FindingList findings={findings} address={address} onOpen={setOpen} />
        ) : (
          <Nothing status={monitoring.status} />
        )}
        {shown.length > 0 && (
          <Card>
            <TimelinePlot findings={shown} />
          </Card>
        )}
        <MonitoringMore shown={shown} onOpen={setOpen} />
        {monitoring.owner && <Traces address={address} />}
        {monitoring.told && (
          <Card className={classes.more}>
            <Fold order={2} title={text("told.title")}>
              <ToldSources told={monitoring.told} />
            </Fold>
          </Card>
        )}
        <Sources monitoring={monitoring} />
        <AlertDetails id={open} onClose={() => setOpen(undefined)} />
      </div>
    </HandlingProvider>
  );
}

/** Credits what found the breaches, and where pastes and stealer logs come from. */
function Sources({ monitoring: { findings, address, owner } }: { monitoring: Monitoring }) {
  const { data: traces } = useQuery({ ...tracesQuery(address), enabled: owner });
  const asked = traces?.source && traces.askedAt !== null ? [{ breach: null, sources: [traces.source] }] : [];
  return <SourceNote shown={[...findings, ...asked]} />;
}

/** In print only: the address and the date of the report. */
function Printed() {
  const text = useText();
  const formatDate = useFormatDate();
  const date = formatDate(new Date(), { dateStyle: "long", timeStyle: "short" });
  return <p data-print-only>{text("monitor.printed", { product: PRODUCT, date })}</p>;
}

/** Shown if another account manages this address of the user. */
function ManagedBy({ monitoring: { managedBy } }: { monitoring: Monitoring }) {
  const text = useText();
  if (managedBy === null) return null;
  return (
    <Notice
      icon={IconEyeCheck}
      action={
        <Anchor component={Link} to="../dashboard" fw={600}>
          {text("monitor.to_dashboard")}
        </Anchor>
      }
    >
      <strong>{text("monitor.managed_by", managedBy)}</strong>
      <Text inherit>{text("monitor.managed_text", managedBy)}</Text>
    </Notice>
  );
}

const NOTHING = {
  active: { icon: IconShieldSearch, tone: "accent", title: "monitor.first", words: "monitor.first_text" },
  inactive: { icon: IconPlayerPause, tone: "accent", title: "monitor.inactive", words: "monitor.inactive_text" },
  safe: { icon: IconShieldCheck, tone: "safe", title: "monitor.safe", words: "monitor.safe_text" },
} as const;

/** No breach was found, with an explanation. */
function Nothing({ status }: { status: Monitoring["status"] }) {
  const text = useText();
  const { title, words, ...look } = NOTHING[status === "breached" ? "safe" : status];
  return (
    <Card>
      <EmptyState order={2} {...look} title={text(title)}>
        {text(words)}
      </EmptyState>
    </Card>
  );
}
