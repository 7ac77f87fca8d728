import { Button, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconHourglass, IconMailPlus, IconShieldCheck, IconShieldSearch } from "@tabler/icons-react";
import { Link } from "react-router";
import type { Dashboard } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { ToneMark } from "../ui/display/tone_mark.tsx";
import { useDrilled } from "./drill.ts";
import classes from "./headline.module.css";
import { screenPath } from "./screen_path.ts";
import type { Standing } from "./standing.ts";

type Props = { dashboard: Dashboard; standing: Standing };

const LOOKS = {
  attention: { tone: "alarm", icon: IconAlertTriangle },
  managed: { tone: "alarm", icon: IconAlertTriangle },
  over: { tone: "quiet", icon: IconHourglass },
  checking: { tone: "accent", icon: IconShieldSearch },
  delayed: { tone: "quiet", icon: IconHourglass },
  rest: { tone: "quiet", icon: IconHourglass },
  asked: { tone: "quiet", icon: IconHourglass },
  first: { tone: "accent", icon: IconMailPlus },
  calm: { tone: "safe", icon: IconShieldCheck },
} as const;

/** The state of all addresses in one sentence. */
export function Headline({ dashboard, standing }: Props) {
  const text = useText();
  const { tone, icon } = LOOKS[standing.kind];
  return (
    <section className={classes.headline} aria-label={text("headline.label")} data-standing={standing.kind}>
      <ToneMark icon={icon} tone={tone} />
      <div className={classes.words} role="status">
        <Title order={2} size="h4">
          <Sentence standing={standing} />
        </Title>
        <Hint standing={standing} dashboard={dashboard} />
      </div>
    </section>
  );
}

function Sentence({ standing }: { standing: Standing }) {
  const text = useText();
  switch (standing.kind) {
    case "attention":
      return text("headline.attention", { count: standing.count, all: standing.all });
    case "managed":
      return text("headline.managed", { count: standing.count });
    case "checking":
      return text("headline.checking", { count: standing.count });
    case "calm":
      return text("headline.calm", { all: standing.all });
    case "asked":
      return text("headline.asked", { count: standing.count });
    default:
      return text(`headline.${standing.kind}`);
  }
}

function Hint({ standing, dashboard }: Props) {
  const text = useText();
  const drilled = useDrilled();
  const alerts = dashboard.tracked.waiting.alerts;
  const hint = () => {
    switch (standing.kind) {
      case "attention":
        return drilled
          ? text(alerts === 1 ? "summary.drill_only" : "summary.drill_too")
          : text("headline.alerts", { alerts });
      case "managed":
        return text("headline.managed_hint", { name: dashboard.managed?.managedBy ?? "" });
      case "checking":
        return text("headline.checking_hint");
      case "calm":
        return text("headline.calm_hint");
      case "rest":
        return text("headline.rest_hint", { count: standing.count });
      case "first":
        return text("dashboard.empty");
      default:
        return undefined;
    }
  };
  const words = hint();
  return words === undefined ? null : (
    <Text size="sm" c="dimmed">
      {words}
    </Text>
  );
}

/** The main action for this state, if there is one. */
export function HeadlineAction({ standing, dashboard }: Props) {
  const text = useText();
  const { urgentAlertId, managed } = dashboard;
  if (standing.kind === "attention")
    return (
      <Button component={Link} size="sm" to={`../alerts${urgentAlertId === null ? "" : `?alert=${urgentAlertId}`}`}>
        {text("headline.act")}
      </Button>
    );
  if (standing.kind === "managed" && managed)
    return (
      <Button component={Link} size="sm" to={screenPath(managed.address)}>
        {text("grants.see")}
      </Button>
    );
  if (standing.kind === "over")
    return (
      <Button component={Link} size="sm" to="../subscription">
        {text("notice.choose")}
      </Button>
    );
  return null;
}
