import { Button, Group, Text } from "@mantine/core";
import {
  type Icon,
  IconClockPause,
  IconLock,
  IconMailQuestion,
  IconMap2,
  IconPlayerPause,
  IconStack2,
  IconTool,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLoaderData, useParams, useSearchParams } from "react-router";
import type { Admission } from "../guards.ts";
import { hasPlans } from "../has_plans.ts";
import { useText } from "../i18n.tsx";
import { instanceQuery } from "../queries.ts";
import type { TextId } from "../text_id.ts";
import { Card } from "../ui/card.tsx";
import { PageHead } from "../ui/page_head.tsx";
import { type Kind, kindOf } from "./error_kind.ts";
import classes from "./error_page.module.css";

type Words = { icon: Icon; title: TextId; happened: TextId; next: TextId };

const WORDS: Record<Kind, Words> = {
  USER_INACTIVE: {
    icon: IconPlayerPause,
    title: "error_page.inactive",
    happened: "error_page.inactive_text",
    next: "error_page.inactive_next",
  },
  USER_INSUFFICIENT: {
    icon: IconStack2,
    title: "error_page.limit",
    happened: "error_page.limit_text",
    next: "error_page.limit_next",
  },
  ACCESS_DENIED: {
    icon: IconLock,
    title: "error_page.denied",
    happened: "error_page.denied_text",
    next: "error_page.denied_next",
  },
  MONITORING_SUSPENDED: {
    icon: IconClockPause,
    title: "error_page.suspended",
    happened: "error_page.suspended_text",
    next: "error_page.suspended_next",
  },
  INVITATION_PENDING: {
    icon: IconMailQuestion,
    title: "error_page.pending",
    happened: "error_page.pending_text",
    next: "error_page.pending_next",
  },
  MONITORING_NOT_AUTHORISED: {
    icon: IconLock,
    title: "error_page.unauthorised",
    happened: "error_page.unauthorised_text",
    next: "error_page.unauthorised_next",
  },
  GENERIC: {
    icon: IconTool,
    title: "error_page.generic",
    happened: "error_page.generic_text",
    next: "error_page.generic_next",
  },
  "404": {
    icon: IconMap2,
    title: "error_page.missing",
    happened: "error_page.missing_text",
    next: "error_page.missing_next",
  },
};

/** What another plan would change. */
const PLAN_HELPS: Kind[] = ["USER_INACTIVE", "USER_INSUFFICIENT"];

export default function ErrorPage() {
  const [params] = useSearchParams();
  const { lang } = useParams();
  const { level } = useLoaderData() as Admission;
  const text = useText();
  const { data: instance } = useQuery(instanceQuery);
  const kind = kindOf(params.get("err"));
  const { icon: Mark, title, happened, next } = WORDS[kind];
  const isSignedIn = level === "authenticated";
  const home = isSignedIn ? "dashboard" : "login";
  const showsPlans = isSignedIn && PLAN_HELPS.includes(kind) && instance !== undefined && hasPlans(instance);
  return (
    <Card className={classes.card}>
      <span className={classes.mark}>
        <Mark size={30} stroke={1.75} aria-hidden="true" />
      </span>
      <PageHead title={text(title)}>{text(happened)}</PageHead>
      <Text mb="lg">{text(next)}</Text>
      <Group gap="sm">
        {showsPlans && (
          <Button component={Link} to={`/${lang}/subscription`}>
            {text("error_page.to_plans")}
          </Button>
        )}
        <Button component={Link} to={`/${lang}/${home}`} variant={showsPlans ? "default" : "filled"}>
          {text(isSignedIn ? "error_page.to_dashboard" : "error_page.to_login")}
        </Button>
      </Group>
    </Card>
  );
}
