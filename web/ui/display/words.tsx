import { useIntl } from "react-intl";
import { isLanguage } from "../../../src/shared/language.ts";
import { inLanguage, type Localized } from "../../../src/shared/localized.ts";

/** What the operator wrote, in the reader's language or else in English, marked as what it is. */
export function Words({ of }: { of: Localized }) {
  const { locale } = useIntl();
  const reader = isLanguage(locale) ? locale : "en";
  const { text, language } = inLanguage(of, reader);
  return <span {...(language !== reader && { lang: language })}>{text}</span>;
}
