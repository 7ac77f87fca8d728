import { Button } from "@mantine/core";
import { IconArchive, IconCircleCheck, IconSearch, IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { isNarrowed, NO_FILTERS } from "./alert_filter.ts";
import type { Part } from "./alert_filters.tsx";
import { facetsQuery } from "./queries.ts";

/** Why the list is empty: nothing found, nothing pending, nothing handled, or no match. */
export function NoAlerts({ view, show }: Part) {
  const { data: facets, isPending } = useQuery(facetsQuery);
  const hasNone = facets?.addresses.length === 0;
  // The text depends on whether anything was ever found.
  if (isPending) return null;
  return (
    <Card>
      {hasNone ? (
        <NothingYet />
      ) : isNarrowed(view) ? (
        <NothingMatches onClear={() => show(NO_FILTERS)} />
      ) : (
        <NoneOf state={view.state} />
      )}
    </Card>
  );
}

const NONE_OF = { pending: AllDone, handled: NothingHandled, all: NothingYet };

function NoneOf({ state }: Pick<Part["view"], "state">) {
  const Said = NONE_OF[state];
  return <Said />;
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
