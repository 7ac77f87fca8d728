import { useIntl } from "react-intl";
import { isLanguage } from "../../../src/shared/language.ts";
import { inLanguage, type Localized } from "../../../src/shared/localized.ts";

/** Text by the operator in the user's language, or in English with its `lang` attribute. */
export function Words({ of }: { of: Localized }) {
  const { locale } = useIntl();
  const reader = isLanguage(locale) ? locale : "en";
  const { text, language } = inLanguage(of, reader);
  return <span {...(language !== reader && { lang: language })}>{text}</span>;
}
