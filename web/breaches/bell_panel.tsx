import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { isDrill } from "../../src/shared/breach.ts";
import { shownAddress } from "../../src/shared/shown_address.ts";
import type { Alert, BellNews } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Ago } from "../ui/display/dates.tsx";
import classes from "./bell.module.css";
import { isUnseen, newestOf, newsAt } from "./bell_news.ts";
import { useBreachTitle } from "./breach_name.ts";
import { BreachTile } from "./breach_tile.tsx";
import { bellQuery } from "./queries.ts";

type Props = { news: BellNews; onChoose: () => void };

/** The latest alerts. Opening the panel marks them as seen; new ones stay highlighted while it is open. */
export function BellPanel({ news: { items, fresh, seenAt }, onChoose }: Props) {
  const text = useText();
  const [before] = useState({ fresh, seenAt });
  const newest = newestOf(items);
  const markSeen = useMarkSeen();
  useEffect(() => {
    if (newest && fresh > 0) markSeen(newest);
  }, [newest, fresh, markSeen]);
  return (
    <>
      <p className={classes.heading}>{text("bell.new", { count: before.fresh })}</p>
      {items.length === 0 && <p className={classes.empty}>{text("bell.empty")}</p>}
      <ul className={classes.list}>
        {items.map((alert) => (
          <li key={alert.id}>
            <Link to={`alerts?alert=${alert.id}`} className={classes.entry} onClick={onChoose}>
              <Entry alert={alert} isNew={isUnseen(alert, before.seenAt)} />
            </Link>
          </li>
        ))}
      </ul>
      <Link to="alerts" className={classes.all} onClick={onChoose}>
        {text("bell.all")}
      </Link>
    </>
  );
}

function Entry({ alert, isNew }: { alert: Alert; isNew: boolean }) {
  const text = useText();
  const titleOf = useBreachTitle();
  const { address, breach, state, worsenedAt } = alert;
  return (
    <>
      <BreachTile breach={breach} />
      <span className={classes.words}>
        <span className={classes.title}>{breach ? titleOf(breach) : text("alerts.undisclosed")}</span>
        <span className={classes.detail}>{shownAddress(address)}</span>
        {breach && isDrill(breach) && <Badge tone="note">{text("bell.drill")}</Badge>}
        <span className={classes.detail}>
          {isNew && <strong className={classes.new}>{text("bell.unseen")}</strong>}
          {worsenedAt !== null && <strong className={classes.worse}>{text("bell.worse")}</strong>}
          {state === "handled" && <span>{text("bell.handled")} · </span>}
          <Ago iso={newsAt(alert)} />
        </span>
      </span>
    </>
  );
}

export function BellFailure() {
  const text = useText();
  return (
    <p className={classes.empty} role="alert">
      {text("bell.failed")}
    </p>
  );
}

/** On failure the alerts stay new until the panel is opened again. */
function useMarkSeen() {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (until: string) => post("/api/bell/seen", { body: { until } }),
    onMutate: () => queryClient.cancelQueries(bellQuery),
    onSuccess: ({ fresh }, until) =>
      queryClient.setQueryData(bellQuery.queryKey, (news?: BellNews) => news && { ...news, fresh, seenAt: until }),
  });
  return mutate;
}
