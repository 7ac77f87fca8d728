import { CONTACT_SCREENS } from "./contact_screens.ts";
import { testScreens } from "./screens.ts";

testScreens(CONTACT_SCREENS);
