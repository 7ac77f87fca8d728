import { useIntl } from "react-intl";
import { isDrill } from "../../src/shared/breach.ts";
import type { Alert, Breach } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";

/** What to call a breach: by its title; a drill by what it is, in the reader's language. */
export function useBreachTitle() {
  const text = useText();
  return (breach: Pick<Breach, "title" | "flags">) => (isDrill(breach) ? text("alert.is_drill") : breach.title);
}

/** What to call an alert: its breach, or, where the owner shares no details, the day it was found. */
export function useBreachName() {
  const text = useText();
  const titleOf = useBreachTitle();
  const { formatDate } = useIntl();
  return ({ breach, raisedAt }: Pick<Alert, "breach" | "raisedAt">) =>
    breach ? titleOf(breach) : text("alerts.finding_of", { date: formatDate(raisedAt, { dateStyle: "long" }) });
}
