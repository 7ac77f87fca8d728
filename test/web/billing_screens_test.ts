import { BILLING_SCREENS } from "./billing_screens.ts";
import { testScreens } from "./screens.ts";

testScreens(BILLING_SCREENS);
