import { Button, Chip, Group, Skeleton, Stack, TextInput, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconMailPlus, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";
import type { AssociationFilter } from "../api.ts";
import { useExplain } from "../errors.tsx";
import { useText } from "../i18n.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty_state.tsx";
import { LoadFailure } from "../ui/load_failure.tsx";
import { PageHead } from "../ui/page_head.tsx";
import { Pager } from "../ui/pager.tsx";
import { AssociationCard } from "./association_card.tsx";
import classes from "./dashboard.module.css";
import { associationsQuery, useAlertsInStep } from "./queries.ts";
import { Summary } from "./summary.tsx";

const FILTERS = ["all", "safe", "breached", "inactive"] as const;
type Filter = (typeof FILTERS)[number];
const ALL: AssociationFilter = { search: "", status: "all", page: 1 };

export default function Dashboard() {
  const text = useText();
  const { lang } = useParams();
  const { data } = useQuery(associationsQuery(ALL));
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
      <Stack gap="xl">
        <Summary capacity={data?.capacity} />
        {data?.capacity.used === 0 ? <FirstSteps /> : <TrackedEmails />}
      </Stack>
    </>
  );
}

function FirstSteps() {
  const text = useText();
  const { lang } = useParams();
  return (
    <Card as="section" label={text("dashboard.tracked")}>
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
  );
}

function TrackedEmails() {
  const text = useText();
  const [typed, setTyped] = useState("");
  const [status, setStatus] = useState<Filter>("all");
  const [page, setPage] = useState(1);
  const [search] = useDebouncedValue(typed.trim(), 250);
  return (
    <section aria-labelledby="tracked-emails">
      <div className={classes.bar}>
        <Title order={2} id="tracked-emails">
          {text("dashboard.tracked")}
        </Title>
        <TextInput
          type="search"
          aria-label={text("dashboard.search")}
          placeholder={text("dashboard.search")}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          className={classes.search}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setPage(1);
          }}
        />
        <StatusFilter
          value={status}
          onChange={(next) => {
            setStatus(next);
            setPage(1);
          }}
        />
      </div>
      <Associations filter={{ search, status, page }} onPage={setPage} />
    </section>
  );
}

function StatusFilter({ value, onChange }: { value: Filter; onChange: (value: Filter) => void }) {
  const text = useText();
  return (
    <Chip.Group value={value} onChange={(next) => onChange(FILTERS.find((filter) => filter === next) ?? "all")}>
      <Group gap={8} role="radiogroup" aria-label={text("dashboard.status")}>
        {FILTERS.map((filter) => (
          <Chip key={filter} value={filter} size="sm" variant="outline">
            {text(filter === "all" ? "dashboard.all" : `status.${filter}`)}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

function Associations({ filter, onPage }: { filter: AssociationFilter; onPage: (page: number) => void }) {
  const text = useText();
  const explain = useExplain();
  const { data, error, refetch } = useQuery(associationsQuery(filter));
  if (error) {
    return (
      <Card>
        <LoadFailure title={text("dashboard.load_failed")} message={explain(error)} onRetry={() => refetch()} />
      </Card>
    );
  }
  if (!data) return <Skeleton height={132} radius="lg" />;
  if (data.items.length === 0) {
    return (
      <Card>
        <EmptyState icon={IconSearch} title={text("dashboard.none_title")}>
          {text("dashboard.none")}
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <ul className={classes.list}>
        {data.items.map((association) => (
          <AssociationCard key={association.id} association={association} />
        ))}
      </ul>
      <Pager page={data.page} pageSize={data.pageSize} total={data.total} onPage={onPage} />
    </>
  );
}
