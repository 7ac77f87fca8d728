import { type IntlShape, useIntl } from "react-intl";
import { withFirst } from "../../../src/shared/first_of_month.ts";

type FormatDate = IntlShape["formatDate"];

/** Formats dates as people write them in the page's language, with the ordinal of the first of a month. */
export function useFormatDate(): FormatDate {
  const { formatDate, locale } = useIntl();
  return (...args: Parameters<FormatDate>) => withFirst(formatDate(...args), locale);
}
