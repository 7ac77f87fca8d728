import { DEVELOPER_SCREENS } from "./developer_screens.ts";
import { testScreens } from "./screens.ts";

testScreens(DEVELOPER_SCREENS);
