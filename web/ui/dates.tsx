import { FormattedDate, useIntl } from "react-intl";
import { distance } from "./distance.ts";

/** A day without a time, such as 2024-03-12: the same day in every time zone. */
export function Day({ iso }: { iso: string }) {
  return (
    <time dateTime={iso}>
      <FormattedDate value={iso} dateStyle="medium" timeZone="UTC" />
    </time>
  );
}

/** A moment in the reader's own time zone. */
export function Moment({ iso, withTime = false }: { iso: string; withTime?: boolean }) {
  return (
    <time dateTime={iso}>
      <FormattedDate value={iso} dateStyle="medium" {...(withTime && { timeStyle: "short" })} />
    </time>
  );
}

/** "3 hours ago", with the exact moment to hover. */
export function Ago({ iso }: { iso: string }) {
  const { formatRelativeTime, formatDate } = useIntl();
  const { value, unit } = distance(iso, Date.now());
  return (
    <time dateTime={iso} title={formatDate(iso, { dateStyle: "full", timeStyle: "short" })}>
      {formatRelativeTime(value, unit, { numeric: "auto" })}
    </time>
  );
}
