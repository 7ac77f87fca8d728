import { inLanguage, type Localized } from "../../../src/shared/localized.ts";
import { useLanguage } from "../../app/i18n.tsx";

/** Text by the operator in the user's language, or in English with its `lang` attribute. */
export function Words({ of }: { of: Localized }) {
  const reader = useLanguage();
  const { text, language } = inLanguage(of, reader);
  return <span {...(language !== reader && { lang: language })}>{text}</span>;
}
