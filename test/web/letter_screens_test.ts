import { LETTER_SCREENS } from "./letter_screens.ts";
import { testScreens } from "./screens.ts";

testScreens(LETTER_SCREENS);
