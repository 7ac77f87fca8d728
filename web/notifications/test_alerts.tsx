import { Button, Title } from "@mantine/core";
import { IconAddressBook } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { contactsQuery, instanceQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { TestRun } from "../shared/test_run.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { Pager } from "../ui/display/pager.tsx";
import { useExistingPage } from "../ui/display/use_existing_page.ts";
import { PageHead } from "../ui/frame/page_head.tsx";
import { FireDrill } from "./fire_drill.tsx";
import classes from "./test_alerts.module.css";
import { TestForm } from "./test_form.tsx";

/** Sends test messages to contacts and shows whether they arrive. */
export default function TestAlerts() {
  const text = useText();
  const [page, setPage] = useState(1);
  const query = useQuery({ ...contactsQuery({ page }), staleTime: 0, placeholderData: keepPreviousData });
  useExistingPage(query.data, setPage);
  const instance = useQuery(instanceQuery);
  const [tests, setTests] = useState<string[]>();
  return (
    <>
      <PageHead title={text("test_alerts.title")} action={<ToContacts />}>
        {text("test_alerts.lead")}
      </PageHead>
      <div className={classes.columns}>
        <Card>
          <Fetched
            query={query}
            failureTitle={text("contact_list.load_failed")}
            height={240}
            awaits={instance.isPending}
          >
            {({ items, total, page: shown, pageSize }) => (
              <>
                <TestForm
                  // The selection belongs to one page of contacts.
                  key={shown}
                  contacts={items}
                  offered={instance.data?.channels}
                  onSent={setTests}
                />
                <Pager page={shown} pageSize={pageSize} total={total} onPage={setPage} />
              </>
            )}
          </Fetched>
        </Card>
        {tests && <Results tests={tests} />}
        {/* It would be pushed down by contacts that arrive later. */}
        <div hidden={query.isPending || instance.isPending}>
          <FireDrill />
        </div>
      </div>
    </>
  );
}

function ToContacts() {
  const text = useText();
  return (
    <Button
      component={Link}
      to="../contacts"
      variant="default"
      leftSection={<IconAddressBook size={18} aria-hidden="true" />}
    >
      {text("test_alerts.contacts")}
    </Button>
  );
}

function Results({ tests }: { tests: string[] }) {
  const text = useText();
  const title = useRef<HTMLHeadingElement>(null);
  // On a phone the results are below the visible part of the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that tests are sent
  useEffect(() => title.current?.focus(), [tests]);
  return (
    <section aria-labelledby="test-results">
      <Card>
        <Title order={2} id="test-results" mb="md" ref={title} tabIndex={-1} className={classes.results}>
          {text("test_alerts.results")}
        </Title>
        <TestRun ids={tests} />
      </Card>
    </section>
  );
}
