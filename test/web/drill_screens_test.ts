import { DRILL_SCREENS } from "./drill_screens.ts";
import { testScreens } from "./screens.ts";

testScreens(DRILL_SCREENS);
