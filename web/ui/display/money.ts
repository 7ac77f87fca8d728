import { useIntl } from "react-intl";
import { FALLBACK_LANGUAGE, isLanguage } from "../../../src/shared/language.ts";
import { formatMoney, type Money } from "../../../src/shared/money.ts";

/** Returns a function that formats amounts in the page's language. */
export function useMoney(): (money: Money) => string {
  const { locale } = useIntl();
  return (money) => formatMoney(money, isLanguage(locale) ? locale : FALLBACK_LANGUAGE);
}
