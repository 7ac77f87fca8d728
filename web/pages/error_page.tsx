import { Button, Group, Text } from "@mantine/core";
import {
  type Icon,
  IconClockOff,
  IconClockPause,
  IconHourglass,
  IconLock,
  IconMailQuestion,
  IconMap2,
  IconPlayerPause,
  IconPlugOff,
  IconStack2,
  IconTool,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Link, useLoaderData, useParams, useSearchParams } from "react-router";
import { instanceQuery } from "../api/queries.ts";
import type { Admission } from "../app/guards.ts";
import { hasPlans } from "../app/has_plans.ts";
import { useText } from "../app/i18n.tsx";
import { refusedPage } from "../app/session.ts";
import type { TextId } from "../app/text_id.ts";
import { Card } from "../ui/display/card.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { type Kind, kindOf, TITLES } from "./error_kind.ts";
import classes from "./error_page.module.css";

const LOOKS = {
  USER_INACTIVE: { icon: IconPlayerPause, words: "inactive" },
  USER_INSUFFICIENT: { icon: IconStack2, words: "limit" },
  ACCESS_DENIED: { icon: IconLock, words: "denied" },
  MONITORING_SUSPENDED: { icon: IconClockPause, words: "suspended" },
  INVITATION_PENDING: { icon: IconMailQuestion, words: "pending" },
  MONITORING_NOT_AUTHORISED: { icon: IconLock, words: "unauthorised" },
  SESSION: { icon: IconClockOff, words: "session" },
  UNREACHABLE: { icon: IconPlugOff, words: "unreachable" },
  BUSY: { icon: IconHourglass, words: "busy" },
  GENERIC: { icon: IconTool, words: "generic" },
  "404": { icon: IconMap2, words: "missing" },
} as const satisfies Record<Kind, { icon: Icon; words: string }>;

/** Kinds for which a plan or a retry helps, beside the link home. */
const PLAN_HELPS: Kind[] = ["USER_INACTIVE", "USER_INSUFFICIENT", "MONITORING_SUSPENDED"];
const WAITING_HELPS: Kind[] = ["UNREACHABLE", "BUSY", "GENERIC"];

type Step = { to: string; label: TextId };

/** The main action, if it is not the link home. */
function useStep(kind: Kind, isSignedIn: boolean): Step | undefined {
  const { lang } = useParams();
  const { data: instance } = useQuery(instanceQuery);
  // A prerendered document does not know it.
  const refused = useSyncExternalStore(
    () => () => undefined,
    refusedPage,
    () => undefined,
  );
  if (WAITING_HELPS.includes(kind)) return refused === undefined ? undefined : { to: refused, label: "retry" };
  if (!isSignedIn) return undefined;
  if (kind === "MONITORING_NOT_AUTHORISED") return { to: `/${lang}/new-track`, label: "error_page.to_invite" };
  if (!PLAN_HELPS.includes(kind) || instance === undefined || !hasPlans(instance)) return undefined;
  return { to: `/${lang}/subscription`, label: "error_page.to_plans" };
}

export default function ErrorPage() {
  const [params] = useSearchParams();
  const { level } = useLoaderData() as Admission;
  const text = useText();
  const kind = kindOf(params.get("err"));
  const { icon: Mark, words } = LOOKS[kind];
  const isSignedIn = level === "authenticated";
  const step = useStep(kind, isSignedIn);
  return (
    <Card className={classes.card}>
      <span className={classes.mark}>
        <Mark size={30} stroke={1.75} aria-hidden="true" />
      </span>
      <PageHead title={text(TITLES[kind])}>{text(`error_page.${words}_text`)}</PageHead>
      <Text mb="lg">{text(`error_page.${words}_next`)}</Text>
      <Group gap="sm">
        {step && (
          <Button component={Link} to={step.to}>
            {text(step.label)}
          </Button>
        )}
        <Button component={Link} to={`../${isSignedIn ? "dashboard" : "login"}`} variant={step ? "default" : "filled"}>
          {text(isSignedIn ? "error_page.to_dashboard" : "error_page.to_login")}
        </Button>
      </Group>
    </Card>
  );
}
