import { Anchor, Text, Title } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useIntl } from "react-intl";
import { Link, useLoaderData, useParams } from "react-router";
import { PRODUCT } from "../../src/shared/product.ts";
import type { Instance } from "../api.ts";
import { useExplain } from "../errors.tsx";
import type { Admission } from "../guards.ts";
import { useText, useTopic } from "../i18n.tsx";
import { instanceQuery } from "../queries.ts";
import { Card } from "../ui/card.tsx";
import { LoadFailure } from "../ui/load_failure.tsx";
import { PageHead } from "../ui/page_head.tsx";
import classes from "./terms_service.module.css";

/** The version of the terms in `locales`, and since when it holds. */
const VERSION = "1.0";
const SINCE = "2026-11-21";
const SECTIONS = Array.from({ length: 20 }, (_, index) => index + 1);

export default function TermsService() {
  const text = useText();
  const terms = useTopic("terms");
  const explain = useExplain();
  const { lang } = useParams();
  const { level } = useLoaderData() as Admission;
  const { data, error, refetch } = useQuery(instanceQuery);
  return (
    <div className={classes.page}>
      <Anchor
        component={Link}
        to={`/${lang}/${level === "authenticated" ? "dashboard" : "login"}`}
        className={classes.back}
      >
        <IconArrowLeft size={18} aria-hidden="true" />
        {terms("back", "")}
      </Anchor>
      <PageHead title={text("terms.title")} />
      {data && <Terms operator={data.operator} />}
      {error && (
        <LoadFailure title={text("terms.load_failed")} message={explain(error)} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

/** The terms with who runs this installation: nobody reads them with a name missing. */
function Terms({ operator }: Pick<Instance, "operator">) {
  const text = useText();
  const topic = useTopic("terms");
  const { formatDate } = useIntl();
  const values = {
    product: PRODUCT,
    operator: operator.name,
    canton: operator.canton,
    support_email: operator.supportEmail,
    version: VERSION,
    date: formatDate(SINCE, { dateStyle: "long", timeZone: "UTC" }),
  };
  const terms = (key: string) => topic(key, "", values);
  return (
    <>
      <Text c="dimmed">{terms("intro")}</Text>
      <Text c="dimmed" size="sm" mt={8} mb="lg">
        {terms("updated")}
      </Text>
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
          <section key={number} id={`section-${number}`} className={classes.section}>
            <Title order={2} size="h3">
              {number}. {terms(`section_${number}_title`)}
            </Title>
            {terms(`section_${number}_body`)
              .split("\n\n")
              .map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
          </section>
        ))}
      </Card>
    </>
  );
}
