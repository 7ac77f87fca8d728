import { Anchor, Checkbox, TextInput, Title } from "@mantine/core";
import { IconApi, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { Link } from "react-router";
import { instanceQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import classes from "./developers.module.css";
import { type ApiDocument, type Call, callsOf, documentQuery, found } from "./document.ts";
import { Marked } from "./marked.tsx";
import { OperationEntry } from "./operation.tsx";

/** The API reference, rendered from the OpenAPI document, which is in English. */
export default function Developers() {
  const text = useText();
  const query = useQuery(documentQuery);
  const { data: instance } = useQuery(instanceQuery);
  const hasWebhooks = instance?.channels.includes("webhook") ?? false;
  return (
    <div className={classes.page}>
      <PageHead title={text("developers.title")}>
        <p>{text(hasWebhooks ? "developers.lead" : "developers.lead_calls")}</p>
        <p className={classes.links}>
          <Anchor href="/api/openapi.json" target="_blank">
            {text("developers.document")}
          </Anchor>
          <Anchor component={Link} to="../api-tokens">
            {text("developers.tokens")}
          </Anchor>
        </p>
      </PageHead>
      <Fetched query={query} failureTitle={text("developers.load_failed")} height={2000}>
        {(document) => <Reference document={document} />}
      </Fetched>
    </div>
  );
}

function Reference({ document }: { document: ApiDocument }) {
  const text = useText();
  const [search, setSearch] = useState("");
  const [website, setWebsite] = useState(false);
  const calls = found(callsOf(document.paths), { search: useDeferredValue(search), website });
  return (
    <>
      <Card className={classes.guide}>
        <div lang="en">
          <Marked text={document.info.description} />
        </div>
      </Card>
      <div className={classes.search}>
        <TextInput
          type="search"
          label={text("developers.search")}
          placeholder={text("developers.search_hint")}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <Checkbox
          label={text("developers.website")}
          checked={website}
          onChange={({ currentTarget }) => setWebsite(currentTarget.checked)}
        />
        <p role="status" className={classes.count}>
          {text("developers.found", { count: calls.length })}
        </p>
      </div>
      {calls.length === 0 && (
        <EmptyState order={2} icon={IconApi} title={text("developers.none_title")}>
          {text("developers.none")}
        </EmptyState>
      )}
      {document.tags.map(({ name, description }) => {
        const own = calls.filter(({ tags }) => tags.includes(name));
        const shown = name === "Webhooks" && search === "" ? callsOf(document.webhooks ?? {}) : own;
        if (shown.length === 0) return null;
        return <Section key={name} name={name} description={description} calls={shown} document={document} />;
      })}
    </>
  );
}

type SectionProps = { name: string; description: string; calls: Call[]; document: ApiDocument };

/** The calls under one heading of the document. */
function Section({ name, description, calls, document }: SectionProps) {
  return (
    <section aria-labelledby={name} className={classes.section}>
      <div lang="en">
        <Title order={2} id={name}>
          {name}
        </Title>
        <p className={classes.soft}>{description}</p>
      </div>
      <ul className={classes.calls}>
        {calls.map((one) => (
          <OperationEntry key={one.operationId} call={one} document={document} />
        ))}
      </ul>
    </section>
  );
}
