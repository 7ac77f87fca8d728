import { useQuery } from "@tanstack/react-query";
import { useText } from "../i18n.tsx";
import { accessRequestsQuery, mayWatchQuery, sentInvitationsQuery, watchedByQuery } from "./queries.ts";
import classes from "./section.module.css";

/** What each section holds, and the way there: the first one may be long. */
export function SectionJumps({ tracked }: { tracked: number | undefined }) {
  const text = useText();
  const mayWatch = useQuery(mayWatchQuery(1)).data;
  const watchedBy = useQuery(watchedByQuery(1)).data;
  const sent = useQuery(sentInvitationsQuery(1)).data;
  const requests = useQuery(accessRequestsQuery(1)).data;
  const sections = [
    { id: "tracked-emails", title: text("dashboard.tracked"), count: tracked },
    {
      id: "granted-permissions",
      title: text("grants.title"),
      count: mayWatch && watchedBy && mayWatch.total + watchedBy.total,
    },
    { id: "sent-invitations", title: text("sent.title"), count: sent?.total },
    { id: "access-requests", title: text("requests.title"), count: requests?.total, isWaiting: true },
  ];
  return (
    <nav className={classes.jumps} aria-label={text("dashboard.sections")}>
      {sections.map(({ id, title, count, isWaiting = false }) => (
        <button
          key={id}
          type="button"
          data-waiting={(isWaiting && count !== undefined && count > 0) || undefined}
          onClick={() => {
            const heading = document.getElementById(id);
            heading?.scrollIntoView();
            heading?.focus({ preventScroll: true });
          }}
        >
          {title} {count !== undefined && <span className={classes.count}>{count}</span>}
        </button>
      ))}
    </nav>
  );
}
