import type { Page } from "playwright-core";
import type { Scene } from "./fake_api.ts";

/** A state of a page: its scene, and the actions that lead to it. */
export type Screen = {
  path: string;
  scene?: Partial<Scene>;
  prepare?: (page: Page) => Promise<unknown>;
  act?: (page: Page) => Promise<unknown>;
  /** Calls that fail in this scene: "METHOD /path". */
  fails?: string[];
  /** Its data never arrives. */
  waits?: boolean;
};
