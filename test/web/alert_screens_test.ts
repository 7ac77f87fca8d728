import { ALERT_SCREENS } from "./alert_screens.ts";
import { testScreens } from "./screens.ts";

testScreens(ALERT_SCREENS);
