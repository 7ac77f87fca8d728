import type errorTexts from "../locales/en/errors.json";
import type uiTexts from "../locales/en/ui.json";

/** A key of the words of the screens: one that `locales/en/ui.json` lacks is a type error. */
export type TextId = keyof typeof uiTexts;
export type ErrorTextId = keyof typeof errorTexts;
