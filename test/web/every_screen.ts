import { ACCOUNT_SCREENS } from "./account_screens.ts";
import { ADVICE_SCREENS } from "./advice_screens.ts";
import { ALERT_SCREENS } from "./alert_screens.ts";
import { ALIAS_SCREENS } from "./alias_screens.ts";
import { BILLING_SCREENS } from "./billing_screens.ts";
import { CONTACT_SCREENS } from "./contact_screens.ts";
import { DEVELOPER_SCREENS } from "./developer_screens.ts";
import { DOMAIN_SCREENS } from "./domain_screens.ts";
import { DRILL_SCREENS } from "./drill_screens.ts";
import { INCIDENT_SCREENS } from "./incident_screens.ts";
import { LETTER_SCREENS } from "./letter_screens.ts";
import { PUBLIC_SCREENS } from "./public_screens.ts";
import type { Screen } from "./screen.ts";
import { SERVICE_STATUS_SCREENS } from "./service_status_screens.ts";
import { SIGN_IN_SCREENS } from "./sign_in_screens.ts";
import { STAFF_SCREENS } from "./staff_screens.ts";
import { SUPPORT_SCREENS } from "./support_screens.ts";
import { TRACKING_SCREENS } from "./tracking_screens.ts";

/** Every state of every screen that is checked. */
export const EVERY_SCREEN: Record<string, Screen> = {
  ...SIGN_IN_SCREENS,
  ...ACCOUNT_SCREENS,
  ...TRACKING_SCREENS,
  ...ALERT_SCREENS,
  ...ADVICE_SCREENS,
  ...ALIAS_SCREENS,
  ...LETTER_SCREENS,
  ...DOMAIN_SCREENS,
  ...CONTACT_SCREENS,
  ...DRILL_SCREENS,
  ...BILLING_SCREENS,
  ...SUPPORT_SCREENS,
  ...DEVELOPER_SCREENS,
  ...SERVICE_STATUS_SCREENS,
  ...INCIDENT_SCREENS,
  ...STAFF_SCREENS,
  ...PUBLIC_SCREENS,
};
