import type alertTexts from "../locales/en/alerts.json";
import type billingTexts from "../locales/en/billing.json";
import type consentTexts from "../locales/en/consent.json";
import type contactTexts from "../locales/en/contacts.json";
import type drillTexts from "../locales/en/drill.json";
import type errorTexts from "../locales/en/errors.json";
import type monitoringTexts from "../locales/en/monitoring.json";
import type profileTexts from "../locales/en/profile.json";
import type serviceStatusTexts from "../locales/en/service_status.json";
import type trackingTexts from "../locales/en/tracking.json";
import type uiTexts from "../locales/en/ui.json";

/** A key of the words of the screens: one that the English files lack is a type error. */
export type TextId =
  | keyof typeof uiTexts
  | keyof typeof profileTexts
  | keyof typeof trackingTexts
  | keyof typeof consentTexts
  | keyof typeof monitoringTexts
  | keyof typeof alertTexts
  | keyof typeof contactTexts
  | keyof typeof drillTexts
  | keyof typeof billingTexts
  | keyof typeof serviceStatusTexts;
export type ErrorTextId = keyof typeof errorTexts;
