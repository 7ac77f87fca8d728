import { ALIAS_SCREENS } from "./alias_screens.ts";
import { testScreens } from "./screens.ts";

testScreens(ALIAS_SCREENS);
