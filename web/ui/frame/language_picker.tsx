import { NativeSelect } from "@mantine/core";
import { IconLanguage } from "@tabler/icons-react";
import { useLocation, useNavigate } from "react-router";
import { LANGUAGES, type Language } from "../../../src/shared/language.ts";
import { useLanguage, useText } from "../../app/i18n.tsx";
import { inLanguage, LANGUAGE_NAMES } from "../../app/language.ts";
import { notePickedLanguage } from "../../app/session.ts";

/** A language's own name. */
export function nameOf(language: Language): string {
  return LANGUAGE_NAMES[language];
}

export const LANGUAGE_OPTIONS = LANGUAGES.map((language) => ({ value: language, label: nameOf(language) }));

/** Switches the interface's language: the same page under another prefix, keeping its state. */
export function LanguagePicker() {
  const language = useLanguage();
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const text = useText();
  function choose(chosen: string) {
    notePickedLanguage();
    const path = inLanguage(pathname, chosen as Language) + search + hash;
    navigate(path, { replace: true, preventScrollReset: true, state });
  }
  return (
    <NativeSelect
      aria-label={text("frame.language")}
      data={LANGUAGE_OPTIONS}
      value={language}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      leftSection={<IconLanguage size={18} stroke={1.75} aria-hidden="true" />}
      w={150}
    />
  );
}
