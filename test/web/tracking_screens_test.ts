import { testScreens } from "./screens.ts";
import { TRACKING_SCREENS } from "./tracking_screens.ts";

testScreens(TRACKING_SCREENS);
