import { Anchor, Text, Title } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useIntl } from "react-intl";
import { Link, useLoaderData, useParams } from "react-router";
import { PRODUCT } from "../../src/shared/product.ts";
import type { Admission } from "../guards.ts";
import { useText, useTopic } from "../i18n.tsx";
import { instanceQuery } from "../queries.ts";
import { Card } from "../ui/card.tsx";
import { PageHead } from "../ui/page_head.tsx";
import classes from "./terms_service.module.css";

/** The version of the terms in `locales`, and since when it holds. */
const VERSION = "1.0";
const SINCE = "2025-11-21";
const SECTIONS = Array.from({ length: 20 }, (_, index) => index + 1);

export default function TermsService() {
  const text = useText();
  const terms = useTerms();
  const { lang } = useParams();
  const { level } = useLoaderData() as Admission;
  return (
    <div className={classes.page}>
      <Anchor
        component={Link}
        to={`/${lang}/${level === "authenticated" ? "dashboard" : "login"}`}
        className={classes.back}
      >
        <IconArrowLeft size={18} aria-hidden="true" />
        {terms("back")}
      </Anchor>
      <PageHead title={terms("title")}>
        {terms("intro")}
        <Text size="sm" mt={8}>
          {terms("updated")}
        </Text>
      </PageHead>
      <nav className={classes.contents} aria-label={text("terms.contents")}>
        <Title order={2} size="h3">
          {text("terms.contents")}
        </Title>
        <ol>
          {SECTIONS.map((number) => (
            <li key={number}>
              <a href={`#section-${number}`}>{terms(`section_${number}_title`)}</a>
            </li>
          ))}
        </ol>
      </nav>
      <Card>
        {SECTIONS.map((number) => (
          <Section
            key={number}
            number={number}
            title={terms(`section_${number}_title`)}
            body={terms(`section_${number}_body`)}
          />
        ))}
      </Card>
    </div>
  );
}

function Section({ number, title, body }: { number: number; title: string; body: string }) {
  return (
    <section id={`section-${number}`} className={classes.section}>
      <Title order={2} size="h3">
        {number}. {title}
      </Title>
      {body.split("\n\n").map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </section>
  );
}

/** The texts of the terms, with who runs this installation. */
function useTerms() {
  const text = useText();
  const topic = useTopic("terms");
  const { formatDate } = useIntl();
  const { data } = useQuery(instanceQuery);
  const values = {
    product: PRODUCT,
    operator: data?.operator ?? PRODUCT,
    canton: data?.canton ?? text("terms.canton"),
    support_email: data?.supportEmail ?? `support@${location.hostname}`,
    version: VERSION,
    date: formatDate(SINCE, { dateStyle: "long", timeZone: "UTC" }),
  };
  return (key: string) => topic(key, "", values);
}
