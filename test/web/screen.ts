import type { Page } from "playwright-core";
import type { Scene } from "./fake_api.ts";

/** A state of a page: the scene behind it, and what somebody does until it shows. */
export type Screen = {
  path: string;
  scene?: Partial<Scene>;
  prepare?: (page: Page) => Promise<unknown>;
  act?: (page: Page) => Promise<unknown>;
  /** Calls that the scene refuses by itself: "METHOD /path". */
  fails?: string[];
  /** What it fetches never comes. */
  waits?: boolean;
};
