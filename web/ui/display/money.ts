import { formatMoney, type Money } from "../../../src/shared/money.ts";
import { useLanguage } from "../../app/i18n.tsx";

/** Returns a function that formats amounts in the page's language. */
export function useMoney(): (money: Money) => string {
  const language = useLanguage();
  return (money) => formatMoney(money, language);
}
