import { isDrill } from "../../src/shared/breach.ts";
import type { Alert, Breach } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";

/** A breach's title; for a drill its localised name. */
export function useBreachTitle() {
  const text = useText();
  return (breach: Pick<Breach, "title" | "flags">) => (isDrill(breach) ? text("alert.is_drill") : breach.title);
}

/** The name of an alert: its breach, or the date it was found if the owner does not share details. */
export function useBreachName() {
  const text = useText();
  const titleOf = useBreachTitle();
  const formatDate = useFormatDate();
  return ({ breach, raisedAt }: Pick<Alert, "breach" | "raisedAt">) =>
    breach ? titleOf(breach) : text("alerts.finding_of", { date: formatDate(raisedAt, { dateStyle: "long" }) });
}
