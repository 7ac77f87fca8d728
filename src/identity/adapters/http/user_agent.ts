import Bowser from "bowser";
import { remembered } from "../../../shared/remembered.ts";
import type { Device } from "../../sign_in/device.ts";

const LONGEST_AGENT = 500;
/** Cache size: many clients share few user agents, and parsing one takes as long as several queries. */
const REMEMBERED = 500;
/** For unknown browsers the parser quotes the header, which is arbitrary text that would end up in mails. */
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));

const known = remembered(read, REMEMBERED);

/** Names of the browser and the system; unknown ones are left out. */
export function deviceOf(userAgent: string | undefined): Device {
  return userAgent ? known(userAgent.slice(0, LONGEST_AGENT)) : {};
}

function read(agent: string): Device {
  const { browser, os } = Bowser.parse(agent);
  return {
    ...(browser.name && BROWSERS.has(browser.name) && { browser: browser.name }),
    ...(os.name && SYSTEMS.has(os.name) && { system: os.name }),
  };
}
