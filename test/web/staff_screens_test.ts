import { testScreens } from "./screens.ts";
import { STAFF_SCREENS } from "./staff_screens.ts";

testScreens(STAFF_SCREENS);
