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
        <NoneOf state="all" />
      ) : isNarrowed(view) ? (
        <NothingMatches onClear={() => show(NO_FILTERS)} />
      ) : (
        <NoneOf state={view.state} />
      )}
    </Card>
  );
}

const NONE_OF = {
  pending: { icon: IconCircleCheck, tone: "safe", title: "alerts.done_title", words: "alerts.done" },
  handled: { icon: IconArchive, tone: "accent", title: "alerts.no_handled_title", words: "alerts.no_handled" },
  all: { icon: IconShieldCheck, tone: "safe", title: "alerts.empty_title", words: "alerts.empty" },
} as const;

function NoneOf({ state }: Pick<Part["view"], "state">) {
  const text = useText();
  const { title, words, ...look } = NONE_OF[state];
  return (
    <EmptyState order={2} {...look} title={text(title)}>
      {text(words)}
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
