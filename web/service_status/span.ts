import { useIntl } from "react-intl";
import { useText } from "../app/i18n.tsx";

const UNITS = [
  [24 * 3600, "day"],
  [3600, "hour"],
  [60, "minute"],
] as const;
/** The server caps the value here. */
const MOST_SECONDS = 30 * 24 * 3600;

/** Returns a function that formats a duration in the largest fitting unit: 90 seconds as "1.5 minutes". */
export function useSpan() {
  const text = useText();
  const { formatNumber } = useIntl();
  return (seconds: number): string => {
    const [size, unit] = UNITS.find(([least]) => seconds >= least) ?? ([1, "second"] as const);
    const style = { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 } as const;
    const span = formatNumber(seconds / size, style);
    return seconds >= MOST_SECONDS ? text("service_status.over_most", { span }) : span;
  };
}
