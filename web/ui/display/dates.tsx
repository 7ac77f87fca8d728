import { useIntl } from "react-intl";
import { useText } from "../../app/i18n.tsx";
import { distance } from "./distance.ts";
import { useFormatDate } from "./format_date.ts";
import { usePrinting } from "./printing.ts";

/** A date without a time, such as 2024-03-12: the same in every time zone. */
export function Day({ iso }: { iso: string | null }) {
  const date = useFormatDate();
  const text = useText();
  if (iso === null) return text("alerts.date_unknown");
  return <time dateTime={iso}>{date(iso, { dateStyle: "medium", timeZone: "UTC" })}</time>;
}

/** A date and optionally time in the user's time zone. */
export function Moment({ iso, withTime = false }: { iso: string; withTime?: boolean }) {
  const date = useFormatDate();
  return <time dateTime={iso}>{date(iso, { dateStyle: "medium", ...(withTime && { timeStyle: "short" }) })}</time>;
}

/** "3 hours ago", with the exact time on hover; in print the exact time. */
export function Ago({ iso }: { iso: string }) {
  const { formatRelativeTime } = useIntl();
  const date = useFormatDate();
  const printing = usePrinting();
  const { value, unit } = distance(iso, Date.now());
  return (
    <time dateTime={iso} title={date(iso, { dateStyle: "full", timeStyle: "short" })}>
      {printing
        ? date(iso, { dateStyle: "medium", timeStyle: "short" })
        : formatRelativeTime(value, unit, { numeric: "auto" })}
    </time>
  );
}
