import { FIRST_STATES, isPublic } from "./first_states.ts";
import { testScreens } from "./screens.ts";

testScreens(Object.fromEntries(FIRST_STATES.filter((state) => !isPublic(state))));
