import { Button } from "@mantine/core";
import { IconArchive, IconCircleCheck, IconSearch, IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useText } from "../i18n.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty_state.tsx";
import { choicesMade, isFiltered, NO_FILTERS } from "./alert_filter.ts";
import type { Part } from "./alert_filters.tsx";
import { facetsQuery } from "./queries.ts";

/** Why the list is empty: nothing was ever found, nothing waits, nothing is handled, or nothing matches. */
export function NoAlerts({ view, show }: Part) {
  const { data: facets } = useQuery(facetsQuery);
  const hasNone = facets?.addresses.length === 0;
  const isByStateAlone = view.search === "" && choicesMade(view) === 0;
  return (
    <Card>
      {hasNone || !isFiltered(view) ? (
        <NothingYet />
      ) : isByStateAlone && view.state === "pending" ? (
        <AllDone />
      ) : isByStateAlone ? (
        <NothingHandled />
      ) : (
        <NothingMatches onClear={() => show(NO_FILTERS)} />
      )}
    </Card>
  );
}

function NothingYet() {
  const text = useText();
  return (
    <EmptyState order={2} icon={IconShieldCheck} tone="safe" title={text("alerts.empty_title")}>
      {text("alerts.empty")}
    </EmptyState>
  );
}

function AllDone() {
  const text = useText();
  return (
    <EmptyState order={2} icon={IconCircleCheck} tone="safe" title={text("alerts.done_title")}>
      {text("alerts.done")}
    </EmptyState>
  );
}

function NothingHandled() {
  const text = useText();
  return (
    <EmptyState order={2} icon={IconArchive} title={text("alerts.no_handled_title")}>
      {text("alerts.no_handled")}
    </EmptyState>
  );
}

function NothingMatches({ onClear }: { onClear: () => void }) {
  const text = useText();
  return (
    <EmptyState
      order={2}
      icon={IconSearch}
      title={text("alerts.none_title")}
      action={
        <Button variant="default" onClick={onClear}>
          {text("alerts.clear_filters")}
        </Button>
      }
    >
      {text("alerts.none")}
    </EmptyState>
  );
}
