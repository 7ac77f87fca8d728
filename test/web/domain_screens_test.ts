import { DOMAIN_SCREENS } from "./domain_screens.ts";
import { testScreens } from "./screens.ts";

testScreens(DOMAIN_SCREENS);
