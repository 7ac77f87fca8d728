import { Anchor, Button, Text, Title } from "@mantine/core";
import { IconArrowLeft, IconPrinter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { useIntl } from "react-intl";
import { Link, useLoaderData, useLocation } from "react-router";
import { TRIAL_DAYS } from "../../src/shared/plans.ts";
import { PRODUCT } from "../../src/shared/product.ts";
import { creditsOf } from "../../src/shared/sources.ts";
import { TERMS } from "../../src/shared/terms.ts";
import type { Instance } from "../api/api.ts";
import { instanceQuery } from "../api/queries.ts";
import type { Admission } from "../app/guards.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { useChannelName } from "../shared/channel_name.ts";
import { Card } from "../ui/display/card.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import classes from "./legal_page.module.css";

type Props = {
  title: TextId;
  failure: TextId;
  back: string;
  /** Renders with the instance, whose operator the text names; nothing is shown before it is known. */
  children: (instance: Instance) => ReactNode;
};

/** A legal text with contents and a print button. */
export function LegalPage({ title, failure, back, children }: Props) {
  const text = useText();
  const { level } = useLoaderData() as Admission;
  const { data, error, refetch } = useQuery(instanceQuery);
  const print = (
    <Button
      variant="default"
      className={classes.print}
      leftSection={<IconPrinter size={18} aria-hidden="true" />}
      onClick={() => window.print()}
    >
      {text("terms.print")}
    </Button>
  );
  return (
    <div className={classes.page}>
      <Anchor component={Link} to={`../${level === "authenticated" ? "dashboard" : "login"}`} className={classes.back}>
        <IconArrowLeft size={18} aria-hidden="true" />
        {back}
      </Anchor>
      <PageHead title={text(title)} action={print} />
      {data && children(data)}
      {error && <LoadFailure title={text(failure)} error={error} onRetry={() => refetch()} />}
    </div>
  );
}

/** The values for the placeholders in legal texts. */
export function useLegalValues({ operator, channels, sources, providers, billing }: Instance) {
  const { formatList } = useIntl();
  const formatDate = useFormatDate();
  const nameOf = useChannelName();
  const ownList = useTopic("sources")("own_list", "");
  return {
    product: PRODUCT,
    operator: operator.name,
    canton: operator.canton,
    support_email: operator.supportEmail,
    version: TERMS.version,
    date: formatDate(TERMS.since, { dateStyle: "long", timeZone: "UTC" }),
    channels: formatList(channels.map((channel) => nameOf(channel))),
    providers: formatList(providers.map(({ label }) => label)),
    sources: formatList(creditsOf([], sources).map(({ name }) => name ?? ownList)),
    billing,
    trial: TRIAL_DAYS,
  };
}

/** Of the installation; empty in a prerendered document. */
function useOrigin(): string {
  return useSyncExternalStore(
    () => () => undefined,
    () => location.origin,
    () => "",
  );
}

export type Section = { id: string; title: string; children: ReactNode };

/** Version, contents and sections; in print also the page's address. */
export function LegalText({ lead, version, sections }: { lead: string; version: string; sections: Section[] }) {
  const text = useText();
  const { pathname, hash } = useLocation();
  const origin = useOrigin();
  useEffect(() => {
    // Repeats the browser's scroll to the fragment, which failed because the section did not exist yet.
    if (hash !== "") document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  return (
    <>
      <Text c="dimmed">{lead}</Text>
      <Text c="dimmed" size="sm" mt={8} mb="lg" component="div">
        {version}
        <p className={classes.source} translate="no">
          {origin + pathname}
        </p>
      </Text>
      <nav className={classes.contents} aria-label={text("terms.contents")}>
        <Title order={2} size="h3">
          {text("terms.contents")}
        </Title>
        <ol>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <Card className={classes.text}>
        {sections.map(({ id, title, children }, index) => (
          <section key={id} id={id} className={classes.section}>
            <Title order={2} size="h3">
              {index + 1}. {title}
            </Title>
            {children}
          </section>
        ))}
      </Card>
    </>
  );
}

/** A text with several paragraphs. */
export function Paragraphs({ children }: { children: string }) {
  return children.split("\n\n").map((paragraph) => <p key={paragraph}>{paragraph}</p>);
}
