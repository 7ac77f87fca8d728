import type acceptanceTexts from "../../locales/en/acceptance.json";
import type alertTexts from "../../locales/en/alerts.json";
import type aliasTexts from "../../locales/en/aliases.json";
import type apiTokenTexts from "../../locales/en/api_tokens.json";
import type billingTexts from "../../locales/en/billing.json";
import type consentTexts from "../../locales/en/consent.json";
import type contactTexts from "../../locales/en/contacts.json";
import type developerTexts from "../../locales/en/developers.json";
import type domainTexts from "../../locales/en/domains.json";
import type drillTexts from "../../locales/en/drill.json";
import type errorTexts from "../../locales/en/errors.json";
import type figureTexts from "../../locales/en/figures.json";
import type incidentTexts from "../../locales/en/incidents.json";
import type letterTexts from "../../locales/en/letters.json";
import type monitoringTexts from "../../locales/en/monitoring.json";
import type profileTexts from "../../locales/en/profile.json";
import type serviceStatusTexts from "../../locales/en/service_status.json";
import type staffTexts from "../../locales/en/staff.json";
import type supportTexts from "../../locales/en/support.json";
import type trackingTexts from "../../locales/en/tracking.json";
import type uiTexts from "../../locales/en/ui.json";

/** A key of the screens' texts; a key that is missing in the English files is a type error. */
export type TextId =
  | keyof typeof acceptanceTexts
  | keyof typeof uiTexts
  | keyof typeof profileTexts
  | keyof typeof trackingTexts
  | keyof typeof consentTexts
  | keyof typeof monitoringTexts
  | keyof typeof letterTexts
  | keyof typeof domainTexts
  | keyof typeof aliasTexts
  | keyof typeof figureTexts
  | keyof typeof alertTexts
  | keyof typeof contactTexts
  | keyof typeof drillTexts
  | keyof typeof apiTokenTexts
  | keyof typeof developerTexts
  | keyof typeof billingTexts
  | keyof typeof supportTexts
  | keyof typeof staffTexts
  | keyof typeof serviceStatusTexts
  | keyof typeof incidentTexts;
export type ErrorTextId = keyof typeof errorTexts;
