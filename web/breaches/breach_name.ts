import { useIntl } from "react-intl";
import type { Alert } from "../api.ts";
import { useText } from "../i18n.tsx";

/** What to call an alert: its breach, or, where the owner shares no details, the day it was found. */
export function useBreachName() {
  const text = useText();
  const { formatDate } = useIntl();
  return ({ breach, raisedAt }: Pick<Alert, "breach" | "raisedAt">) =>
    breach?.title ?? text("alerts.finding_of", { date: formatDate(raisedAt, { dateStyle: "long" }) });
}
